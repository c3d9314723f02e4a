/** The most characters of a response in the record of a delivery. */
const CHARACTERS_MAX = 500;

/** API keys and signing secrets. A receiver's error page may show its settings, and operators read the record. */
const SECRETS = /(cck_(?:test|live)_|whsec_)[^\s"'<>]*/g;

/** The beginning of a response's body for people, in one line: without control, format and unassigned characters. */
export const responseText = (body: Buffer): string => {
  const text = body
    .toString('utf8')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(SECRETS, '$1***')
    .trim();
  return Array.from(text).slice(0, CHARACTERS_MAX).join('');
};
