import { hasCharacters } from '../../core/characters.ts';

const URL_CHARACTERS_MAX = 2_048;

/** A host name has at most 253 characters (RFC 1035, 2.3.4), a port with its colon six. `URL` needs 10 ms to parse 2,000. */
const HOST_AND_PORT_CHARACTERS_MAX = 259;

/**
 * The JSON Schema keywords of `redirectURL` and `cancelURL`. They state all rules of {@link returnUrlIssue} but two: placeholders,
 * and the parsing of host and port. The format `uri` would not allow the braces of `{CART_ID}`.
 */
export const RETURN_URL_BOUNDS = {
  format: 'uri-template',
  maxLength: URL_CHARACTERS_MAX,
  // For engines without \p{Cc} and the flag i.
  pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\x00-\x1f\x7f-\x9f\\/?#@]{1,${HOST_AND_PORT_CHARACTERS_MAX}}(?:[/?#][^\s\x00-\x1f\x7f-\x9f\\]*)?$`,
};

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

const AUTHORITY = /^https?:\/\/([^/?#]*)/i;

/**
 * A name in braces, plain or percent-encoded. A name with hyphens has no digits, because a GUID in braces is not a
 * placeholder.
 */
export const PLACEHOLDER = /(?:\{|%7B)([A-Z_](?:[\w.]{0,39}|[A-Z-]{0,39}))(?:\}|%7D)/gi;

const unknownPlaceholder = (address: string): string | undefined =>
  [...address.matchAll(PLACEHOLDER)].map(([, name]) => name).find((name) => name !== 'CART_ID');

/**
 * One sentence that says why a buyer cannot be sent to an address after payment, or `undefined` for a valid address. It must
 * be absolute http or https, without userinfo, which can disguise the host. Its only placeholder is `{CART_ID}`.
 */
export const returnUrlIssue = (address: string): string | undefined => {
  if (address === '') return 'Omit it or send an address';
  if (!address.isWellFormed()) return 'Must be well-formed Unicode';
  if (!hasCharacters(address, 1, URL_CHARACTERS_MAX))
    return `Must have at most ${URL_CHARACTERS_MAX} characters`;
  if (WHITE_SPACE_OR_CONTROL.test(address))
    return 'Must have no white space, line breaks or control characters: remove or percent-encode them';
  if (address.includes('\\')) return 'Must have no backslashes';

  const authority = AUTHORITY.exec(address)?.[1];
  if (authority === undefined) return 'Must begin with https:// or http://';
  if (authority.includes('@')) return 'Must have no user name and no password';
  if (!hasCharacters(authority, 0, HOST_AND_PORT_CHARACTERS_MAX))
    return `Must have at most ${HOST_AND_PORT_CHARACTERS_MAX} characters of host and port`;

  const placeholder = unknownPlaceholder(address);
  if (placeholder !== undefined)
    return `Unknown placeholder {${placeholder}}; the only one is {CART_ID}, the cart's id`;
  // `URL` takes the host of `https:///a` from its path.
  return authority !== '' && URL.canParse(address) ? undefined : 'Must have a valid host and port';
};
