import { lettersOf } from '../core/letters-of.ts';
import type { TestModeIssue } from './invalid-field.ts';

/**
 * The parts of a request that have names. `prefix` begins their paths (`docs/contract.md`, "Errors"). `comparedMax` bounds the
 * work for a hostile body. A gateway adds about 20 headers, and bounds their bytes.
 */
const PARTS = {
  body: { noun: 'field', place: 'in the body', prefix: '', comparedMax: 20 },
  query: { noun: 'parameter', place: 'in the query', prefix: 'query.', comparedMax: 20 },
  headers: { noun: 'header', place: 'as a header', prefix: 'headers.', comparedMax: 100 },
} as const;

export type Part = keyof typeof PARTS;

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
export interface Words {
  /** By the name here: names of other APIs, as in {@link MissingNames}. */
  readonly others?: Readonly<Record<string, string>>;
  readonly missing?: readonly MissingNames[];
}

/** The names that an operation reads. Headers are in lower case. */
export type RequestNames = Readonly<Partial<Record<Part, readonly string[]>>>;

export type RequestWords = Readonly<Partial<Record<Part, Words>>>;

/** The values of a request, by name. A body can be anything. */
type RequestValues = Readonly<Record<Part, unknown>>;

/** Finds the values of unknown names, which would be lost unnoticed. */
export type FindUnknownNames = (request: RequestValues) => readonly TestModeIssue[];

/** A name that a message may repeat. */
const COMPARED_NAME = /^[\w .;[\]-]{1,40}$/;

/** The letters of a sent name, without the `amp;` of a query that was escaped for HTML, and the `X-` of headers. */
export const sentLettersOf = (name: string): string => lettersOf(name.replace(/^(?:amp;|x-)/i, ''));

/** Most words of four letters become other words by one edit: `meta` becomes `beta`, `met` and `metal`. */
const EDITED_LETTERS_MIN = 5;

/**
 * Whether a name is the known one, or becomes it if one letter is inserted, deleted or replaced, or changes places with the next.
 * The first letter must be right: `iphone` is a word of its own.
 */
const isSimilar = (known: string, name: string): boolean => {
  if (known === name) return true;
  return known.length >= EDITED_LETTERS_MIN && known[0] === name[0] && isOneEdit(known, name);
};

/** Whether two different texts are one edit apart. */
const isOneEdit = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = long.slice(same + 1);
  if (short.length < long.length) return rest === short.slice(same);
  const isSwapped = short[same] === long[same + 1] && short[same + 1] === long[same];
  return rest === short.slice(same + 1) || (isSwapped && rest.slice(1) === short.slice(same + 2));
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

/** The spellings of the known names of a part. */
interface Spellings {
  readonly part: Part;
  readonly names: readonly string[];
  readonly letters: readonly (readonly [letters: string, name: string])[];
  readonly others: readonly (readonly [letters: readonly string[], name: string])[];
}

const spellingsOf = (part: Part, names: readonly string[], others: Words['others'] = {}): Spellings => ({
  part,
  names,
  letters: names.map((name) => [sentLettersOf(name), name]),
  others: names.flatMap((name) => {
    const words = others[name];
    return words === undefined ? [] : [[words.split(' '), name] as const];
  }),
});

/** The absent known name that a name means. */
const meantBy = (name: string, { letters, others }: Spellings, values: unknown): string | undefined => {
  const sent = sentLettersOf(name);
  const [, meant] =
    letters.find(([known, each]) => isSimilar(known, sent) && isAbsent(values, each)) ??
    others.find(([words, each]) => words.includes(sent) && isAbsent(values, each)) ??
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

/**
 * Makes the rule of unknown names for an operation. It finds names that are similar to that of an absent value, such as
 * `redirect_url`, those of other APIs, such as `metadata`, and those of another part. A name beside the right one loses nothing.
 * Proxies add headers, so a header is never one of another part.
 */
export const unknownNames = (known: RequestNames, words: RequestWords = {}): FindUnknownNames => {
  let made: readonly Spellings[] | undefined;
  /** Makes them for the first request, because each import of a function would take longer. */
  const spellingsOfParts = (): readonly Spellings[] =>
    (made ??= (Object.keys(PARTS) as Part[]).map((part) =>
      spellingsOf(part, known[part] ?? [], words[part]?.others),
    ));
  const reasonOf = (
    entry: readonly [string, unknown],
    spellings: Spellings,
    request: RequestValues,
  ): Reason | undefined => {
    const { part } = spellings;
    const [name] = entry;
    const own = meantBy(name, spellings, request[part]);
    if (own !== undefined) return { message: `did you mean ${own}?`, means: PARTS[part].prefix + own };
    const missing = missingReason(entry, words[part]?.missing ?? [], request[part]);
    if (missing || part === 'headers') return missing;
    for (const other of spellingsOfParts()) {
      const meant = other === spellings ? undefined : meantBy(name, other, request[other.part]);
      if (meant !== undefined) {
        const { place, prefix } = PARTS[other.part];
        return { message: `send ${meant} ${place}`, means: prefix + meant };
      }
    }
    return undefined;
  };
  return (request) =>
    spellingsOfParts().flatMap((spellings) => {
      const { part, names } = spellings;
      return unknownEntries(request[part], names, part).flatMap((entry) => {
        const reason = reasonOf(entry, spellings, request);
        if (!reason) return [];
        const [name] = entry;
        const message = `Unknown ${PARTS[part].noun} ${name}; ${reason.message}`;
        const loggedAs = reason.means ?? sentLettersOf(name);
        return [{ ...reason, path: PARTS[part].prefix + name, message, loggedAs }];
      });
    });
};
