import { MalformedValueError } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

/** The stage's own tags. No further tag may replace them: a budget and a cost report find the stage by them. */
const OWN_TAGS = ['service', 'stage'] as const;

/**
 * The characters that every service takes, without the comma and the first `=`, which separate the tags. AWS reserves keys that
 * begin with `aws:`.
 * https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
 */
const TAG = /^(?!aws:)([\p{L}\p{N} +\-._:/@]{1,128})=([\p{L}\p{N} +\-=._:/@]{1,256})$/iu;

/** A resource takes 50, some of which AWS or a team may add later. */
const TAGS_MAX = 20;

/**
 * The tags of every resource of a stage: its own, and those of `-c tags=name=value,...`.
 *
 * @throws MalformedValueError if a tag is malformed, replaces another one, or is one too many
 */
export const stageTags = (
  { tags = '' }: StageContext,
  stageName: string,
): Readonly<Record<string, string>> => {
  const pairs = tags === '' ? [] : tags.split(',').map((text) => TAG.exec(text)?.slice(1) ?? []);
  const names = new Set<unknown>([...OWN_TAGS, ...pairs.map(([name]) => name)]);
  const areValid = pairs.length <= TAGS_MAX && names.size === OWN_TAGS.length + pairs.length;
  if (!areValid || names.has(undefined)) {
    throw new MalformedValueError(
      'tags',
      `at most ${TAGS_MAX} pairs with commas between them, such as team=shop,cost-centre=42, without ${OWN_TAGS.join(' or ')}`,
    );
  }
  return { service: 'cart-checkout', stage: stageName, ...Object.fromEntries(pairs as [string, string][]) };
};

/** The tags of a stage besides its own, as pairs. */
export const furtherTags = (tags: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(tags).filter(([name]) => !OWN_TAGS.some((own) => own === name));
