/** A language and a region (BCP 47), such as `fr-CA` or `es-419`, without script or variant. */
export const LANGUAGE_REGION = /^([A-Za-z]{2,3})-([A-Za-z]{2}|[0-9]{3})$/;

/** Converts a locale to the case of `fr-CA`. Returns `undefined` if it is not of the form language-REGION. */
export const parseLocale = (tag: string): string | undefined => {
  const match = LANGUAGE_REGION.exec(tag.trim());
  return match?.[1] && match[2] ? `${match[1].toLowerCase()}-${match[2].toUpperCase()}` : undefined;
};

/** The first language-REGION tag of an `Accept-Language` header (RFC 9110, 12.5.4). It ignores weights. */
export const firstLocale = (acceptLanguage: string | undefined): string | undefined => {
  if (acceptLanguage === undefined) return undefined;
  for (const range of acceptLanguage.split(',')) {
    const locale = parseLocale(range.replace(/;.*/, ''));
    if (locale) return locale;
  }
  return undefined;
};
