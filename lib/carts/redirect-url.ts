import { isWithin } from '../text.ts';

const URL_CHARACTERS_MAX = 2_048;

/**
 * An authority without userinfo, then any text without white space, control characters and backslashes. A host name has
 * at most 253 characters (RFC 1035, 2.3.4), and a port with its colon six. `URL` needs 10 ms to parse a host name of
 * 2,000.
 */
const ABSOLUTE_HTTP_URL =
  // oxlint-disable-next-line no-control-regex -- the contract repeats it for engines without \p{Cc} and the flag i
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\x00-\x1f\x7f-\x9f\\/?#@]{1,259}(?:[/?#][^\s\x00-\x1f\x7f-\x9f\\]*)?$/u;

/** The JSON Schema keywords of a redirect URL. The format `uri` would not allow the braces of `{CART_ID}`. */
export const REDIRECT_URL_BOUNDS = {
  format: 'uri-template',
  maxLength: URL_CHARACTERS_MAX,
  pattern: ABSOLUTE_HTTP_URL.source,
};

/**
 * Whether a buyer can be sent to an address after payment. It must be absolute http or https, with at most 2048
 * characters and no userinfo, which can disguise the host. It may contain the placeholder `{CART_ID}`.
 */
export const isRedirectUrl = (address: string): boolean =>
  address.isWellFormed() &&
  isWithin(address, 1, URL_CHARACTERS_MAX) &&
  ABSOLUTE_HTTP_URL.test(address) &&
  URL.canParse(address);
