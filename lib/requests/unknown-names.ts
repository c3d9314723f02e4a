import type { ForeignNames, UnsupportedNames } from './foreign-names.ts';
import type { TestModeIssue } from './invalid-field.ts';
import { type Part, PARTS, type RequestValues } from './named-parts.ts';
import { isAbsent, sentLettersOf, unknownEntries } from './sent-names.ts';
import { meantBy, type Vocabulary, vocabularyOf } from './vocabulary.ts';

// Ignoring a misspelled name loses its value unnoticed: with `redirectUrl`, the buyer has no way back, and with `cursor`, a client
// reads the first page for ever. Test mode therefore rejects such a name, where a rejection costs nobody a buyer. Live mode accepts
// it, and logs the right name (`docs/decisions.md`, "Live mode ignores a misspelled name, and test mode rejects it"). Finding
// the meant name needs a list of other APIs' names, and the edit distance of `leven` for typos.

/** The names that an operation reads. Headers are in lower case. */
export type KnownNames = Readonly<Partial<Record<Part, readonly string[]>>>;

/** Finds the issues of a request that only test mode rejects. */
export type FindTestModeIssues = (request: RequestValues) => readonly TestModeIssue[];

/** Why a name is unknown: the end of its message, and the known field that it means, if any. */
type Reason = Pick<TestModeIssue, 'message' | 'means'>;

const unsupportedReason = (
  [name, value]: readonly [string, unknown],
  unsupported: readonly UnsupportedNames[],
  values: unknown,
): Reason | undefined => {
  const found = unsupported.find(({ names }) => names.split(' ').includes(sentLettersOf(name)));
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
  const { part, unsupported } = own;
  const meant = meantBy(name, own, request[part]);
  if (meant !== undefined) return { message: `did you mean ${meant}?`, means: PARTS[part].prefix + meant };
  const found = unsupportedReason(entry, unsupported, request[part]);
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
 * Makes the rule of unknown names for an operation. The rule reports a name that stands for an absent known name: another
 * spelling, such as `redirect_url` or `redirecURL`, a name of other APIs, such as `metadata`, or a name of another part. If the
 * known name is present too, nothing is lost.
 */
export const unknownNames = (known: KnownNames, foreignNames: ForeignNames = {}): FindTestModeIssues => {
  let made: readonly Vocabulary[] | undefined;
  /** Makes them for the first request, because each import of a function would take longer. */
  const vocabularies = (): readonly Vocabulary[] =>
    (made ??= (Object.keys(PARTS) as Part[]).map((part) =>
      vocabularyOf(part, known[part] ?? [], foreignNames[part]),
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
