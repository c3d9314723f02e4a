import { type ForeignNamesOfPart, PAGE_FOREIGN_NAMES, type UnsupportedNames } from './foreign-names.ts';
import type { Part } from './named-parts.ts';
import { isAbsent, sentLettersOf } from './sent-names.ts';
import { isTypoOf } from './typo.ts';

/** The known names of a part, and how a request may spell them. */
export interface Vocabulary {
  readonly part: Part;
  readonly names: readonly string[];
  /** For each known name, the letters of the names that mean it: first its own, then those of its aliases. */
  readonly spellings: readonly (readonly [name: string, letters: readonly string[]])[];
  readonly unsupported: readonly UnsupportedNames[];
}

/** The vocabulary of a part of an operation. Every query has {@link PAGE_FOREIGN_NAMES}. */
export const vocabularyOf = (
  part: Part,
  names: readonly string[],
  { aliases, unsupported = [] }: ForeignNamesOfPart = {},
): Vocabulary => {
  const allAliases: ForeignNamesOfPart['aliases'] =
    part === 'query' ? { ...PAGE_FOREIGN_NAMES, ...aliases } : aliases;
  return {
    part,
    names,
    spellings: names.map((name) => [name, [sentLettersOf(name), ...(allAliases?.[name]?.split(' ') ?? [])]]),
    unsupported,
  };
};

/** The absent known name that a name means. */
export const meantBy = (name: string, { spellings }: Vocabulary, values: unknown): string | undefined => {
  const sent = sentLettersOf(name);
  const absent = spellings.filter(([each]) => isAbsent(values, each));
  const [meant] =
    absent.find(([, letters]) => letters.includes(sent)) ??
    absent.find(([, [own = '']]) => isTypoOf(own, sent)) ??
    [];
  return meant;
};
