/** A language and a region (BCP 47), such as `fr-CA` or `es-419`, without script or variant. */
export const LANGUAGE_REGION = /^([A-Za-z]{2,3})-([A-Za-z]{2}|[0-9]{3})$/;

/** Converts a locale to the case of `fr-CA`. Returns `undefined` if it is not of the form language-REGION. */
export const parseLocale = (tag: string): string | undefined => {
  const match = LANGUAGE_REGION.exec(tag.trim());
  return match?.[1] && match[2] ? `${match[1].toLowerCase()}-${match[2].toUpperCase()}` : undefined;
};

/** The weight of a range. A malformed one counts as 1, as an absent one does. RFC 9110, 12.4.2 */
const WEIGHT = /;\s*q=(0(?:\.\d{0,3})?)\s*$/i;

/**
 * The language tags of an `Accept-Language` header by their weights (RFC 9110, 12.5.4). Tags of the same weight keep their
 * order. The weight 0 excludes a tag.
 */
export const preferredTags = (acceptLanguage: string): readonly string[] =>
  acceptLanguage
    .split(',')
    .map((range) => ({ tag: range.replace(/;.*/, '').trim(), weight: Number(WEIGHT.exec(range)?.[1] ?? 1) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

/** The preferred language-REGION tag of an `Accept-Language` header. */
export const preferredLocale = (acceptLanguage: string | undefined): string | undefined => {
  if (acceptLanguage === undefined) return undefined;
  for (const tag of preferredTags(acceptLanguage)) {
    const locale = parseLocale(tag);
    if (locale) return locale;
  }
  return undefined;
};
