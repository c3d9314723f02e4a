import leven from 'leven';
import { lettersOf } from '../core/letters-of.ts';
import type { TestModeIssue } from './invalid-field.ts';
import { PAGE_WORDS } from './query-parameters.ts';

/**
 * The parts of a request that have names. `prefix` begins their paths (`docs/contract.md`, "Errors"). `comparedMax` bounds the
 * work for a hostile body. A gateway adds about 20 headers, and bounds their bytes.
 */
const PARTS = {
  body: { noun: 'field', place: 'in the body', prefix: '', comparedMax: 20 },
  query: { noun: 'parameter', place: 'in the query', prefix: 'query.', comparedMax: 20 },
  headers: { noun: 'header', place: 'as a header', prefix: 'headers.', comparedMax: 100 },
} as const;

type Part = keyof typeof PARTS;

/** Names of other APIs that have no name here. */
export interface MissingNames {
  /** Separated by spaces, in lower case, without separators. */
  readonly names: string;
  /** The end of the issue's message: what to send instead, or why the API has no such name. */
  readonly reason: string;
  /** Beside this known name, nothing is lost. */
  readonly beside?: string;
  /** Whether nothing is lost with a value. Default: only with `null` */
  readonly isHarmless?: (value: unknown) => boolean;
}

/** Names of other APIs, for the names of a part. */
interface Words {
  /** By the name here: names of other APIs, as in {@link MissingNames}. A query's `after` and `limit` have {@link PAGE_WORDS}. */
  readonly others?: Readonly<Record<string, string>>;
  readonly missing?: readonly MissingNames[];
}

/** The names that an operation reads. Headers are in lower case. */
export type RequestNames = Readonly<Partial<Record<Part, readonly string[]>>>;

export type RequestWords = Readonly<Partial<Record<Part, Words>>>;

/** The values of a request, by name. A body can be anything. */
type RequestValues = Readonly<Record<Part, unknown>>;

/** Finds the issues of a request that only test mode rejects. */
export type FindTestModeIssues = (request: RequestValues) => readonly TestModeIssue[];

/** A name that a message may repeat. */
const COMPARED_NAME = /^[\w .;[\]-]{1,40}$/;

/** The letters of a sent name, without the `amp;` of a query that was escaped for HTML, and the `X-` of headers. */
export const sentLettersOf = (name: string): string => lettersOf(name.replace(/^(?:amp;|x-)/i, ''));

/** Most words of four letters become other words by one edit: `meta` becomes `beta`, `met` and `metal`. */
const EDITED_LETTERS_MIN = 5;

const sorted = (letters: string): string => letters.split('').toSorted().join('');

/**
 * Whether a name becomes the known one by one letter less, more or other, or by two letters that change places. The first letter
 * must match: `iphone` is not a typo of `phone`.
 */
const isTypoOf = (known: string, name: string): boolean => {
  if (known.length < EDITED_LETTERS_MIN || known[0] !== name[0]) return false;
  const edits = leven(known, name, { maxDistance: 3 });
  return edits === 1 || (edits === 2 && sorted(known) === sorted(name));
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a name has no value. `null` counts as absent. */
export const isAbsent = (values: unknown, name: string): boolean =>
  !isObject(values) || (values[name] ?? null) === null;

/** The first unknown names that a message may repeat, with their values. */
export const unknownEntries = (
  values: unknown,
  known: readonly string[],
  part: Part = 'body',
): readonly [name: string, value: unknown][] =>
  isObject(values)
    ? Object.entries(values)
        .filter(([name]) => !known.includes(name) && COMPARED_NAME.test(name))
        .slice(0, PARTS[part].comparedMax)
    : [];

/** The known names of a part, each with the spellings that mean it: first its own letters, then those of names in other APIs. */
interface Vocabulary {
  readonly part: Part;
  readonly names: readonly string[];
  readonly meanings: readonly (readonly [name: string, letters: readonly string[]])[];
  readonly missing: readonly MissingNames[];
}

const vocabularyOf = (
  part: Part,
  names: readonly string[],
  { others, missing = [] }: Words = {},
): Vocabulary => {
  const spellings: Words['others'] = part === 'query' ? { ...PAGE_WORDS, ...others } : others;
  return {
    part,
    names,
    meanings: names.map((name) => [name, [sentLettersOf(name), ...(spellings?.[name]?.split(' ') ?? [])]]),
    missing,
  };
};

/** The absent known name that a name means. */
const meantBy = (name: string, { meanings }: Vocabulary, values: unknown): string | undefined => {
  const sent = sentLettersOf(name);
  const absent = meanings.filter(([each]) => isAbsent(values, each));
  const [meant] =
    absent.find(([, letters]) => letters.includes(sent)) ??
    absent.find(([, [own = '']]) => isTypoOf(own, sent)) ??
    [];
  return meant;
};

/** Why a name is unknown: the end of its message, and the known field that it means, if any. */
type Reason = Pick<TestModeIssue, 'message' | 'means'>;

const missingReason = (
  [name, value]: readonly [string, unknown],
  missing: readonly MissingNames[],
  values: unknown,
): Reason | undefined => {
  const found = missing.find(({ names }) => names.split(' ').includes(sentLettersOf(name)));
  if (!found || value === null || found.isHarmless?.(value) === true) return undefined;
  if (found.beside !== undefined && !isAbsent(values, found.beside)) return undefined;
  return { message: found.reason };
};

/** The reason to report an unknown name. `undefined` if nothing is lost when the API ignores it. */
const reasonOf = (
  entry: readonly [string, unknown],
  own: Vocabulary,
  all: readonly Vocabulary[],
  request: RequestValues,
): Reason | undefined => {
  const [name] = entry;
  const { part, missing } = own;
  const meant = meantBy(name, own, request[part]);
  if (meant !== undefined) return { message: `did you mean ${meant}?`, means: PARTS[part].prefix + meant };
  const found = missingReason(entry, missing, request[part]);
  // Proxies add headers, so an unknown header is never reported as a name of another part.
  if (found || part === 'headers') return found;
  for (const other of all) {
    const misplaced = meantBy(name, other, request[other.part]);
    if (misplaced !== undefined) {
      const { place, prefix } = PARTS[other.part];
      return { message: `send ${misplaced} ${place}`, means: prefix + misplaced };
    }
  }
  return undefined;
};

/**
 * Makes the rule of unknown names for an operation. Their values would be lost unnoticed. The rule reports a name that stands for
 * an absent known name: another spelling, such as `redirect_url` or `redirecURL`, a name of other APIs, such as `metadata`, or a
 * name of another part. If the known name is present too, nothing is lost.
 */
export const unknownNames = (known: RequestNames, words: RequestWords = {}): FindTestModeIssues => {
  let made: readonly Vocabulary[] | undefined;
  /** Makes them for the first request, because each import of a function would take longer. */
  const vocabularies = (): readonly Vocabulary[] =>
    (made ??= (Object.keys(PARTS) as Part[]).map((part) =>
      vocabularyOf(part, known[part] ?? [], words[part]),
    ));
  return (request) =>
    vocabularies().flatMap((vocabulary) => {
      const { part, names } = vocabulary;
      return unknownEntries(request[part], names, part).flatMap((entry) => {
        const reason = reasonOf(entry, vocabulary, vocabularies(), request);
        if (!reason) return [];
        const [name] = entry;
        const message = `Unknown ${PARTS[part].noun} ${name}; ${reason.message}`;
        const loggedAs = reason.means ?? sentLettersOf(name);
        return [{ ...reason, path: PARTS[part].prefix + name, message, loggedAs }];
      });
    });
};
