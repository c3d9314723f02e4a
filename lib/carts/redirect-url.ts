import { countCharacters } from '../text.ts';

const URL_CHARACTERS_MAX = 2_048;

/** An authority without userinfo, then any text without white space, control characters and backslashes. */
const ABSOLUTE_HTTP_URL = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * Whether a buyer can be sent to an address after payment. It must be absolute http or https, with at most 2048
 * characters and no userinfo, which can disguise the host. It may contain the placeholder `{CART_ID}`.
 */
export const isRedirectUrl = (address: string): boolean =>
  address.isWellFormed() &&
  countCharacters(address) <= URL_CHARACTERS_MAX &&
  ABSOLUTE_HTTP_URL.test(address) &&
  URL.canParse(address);
