import { PAGE_WORDS } from './query-parameters.ts';
import { isAbsent, type Part, sentLettersOf } from './sent-names.ts';
import { isTypoOf } from './typo.ts';

/** Names of other APIs that have no name here. */
export interface UnsupportedNames {
  /** Separated by spaces, in lower case, without separators. */
  readonly names: string;
  /** The end of the message: what to send instead, or why the API has no such name. */
  readonly reason: string;
  /** Beside this known name, nothing is lost. */
  readonly beside?: string;
  /** Whether nothing is lost with a value. Default: only with `null` */
  readonly isHarmless?: (value: unknown) => boolean;
}

/** Names of other APIs, for the names of a part. */
interface Words {
  /** By the name here: names of other APIs, written as {@link UnsupportedNames.names}. A query also has {@link PAGE_WORDS}. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly unsupported?: readonly UnsupportedNames[];
}

/** The names that an operation reads. Headers are in lower case. */
export type RequestNames = Readonly<Partial<Record<Part, readonly string[]>>>;

export type RequestWords = Readonly<Partial<Record<Part, Words>>>;

/** The known names of a part, each with the spellings that mean it: first its own letters, then those of names in other APIs. */
export interface Vocabulary {
  readonly part: Part;
  readonly names: readonly string[];
  readonly meanings: readonly (readonly [name: string, letters: readonly string[]])[];
  readonly unsupported: readonly UnsupportedNames[];
}

export const vocabularyOf = (
  part: Part,
  names: readonly string[],
  { aliases, unsupported = [] }: Words = {},
): Vocabulary => {
  const spellings: Words['aliases'] = part === 'query' ? { ...PAGE_WORDS, ...aliases } : aliases;
  return {
    part,
    names,
    meanings: names.map((name) => [name, [sentLettersOf(name), ...(spellings?.[name]?.split(' ') ?? [])]]),
    unsupported,
  };
};

/** The absent known name that a name means. */
export const meantBy = (name: string, { meanings }: Vocabulary, values: unknown): string | undefined => {
  const sent = sentLettersOf(name);
  const absent = meanings.filter(([each]) => isAbsent(values, each));
  const [meant] =
    absent.find(([, letters]) => letters.includes(sent)) ??
    absent.find(([, [own = '']]) => isTypoOf(own, sent)) ??
    [];
  return meant;
};
