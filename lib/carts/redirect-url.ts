import { countCharacters } from '../text.ts';

const URL_CHARACTERS_MAX = 2_048;

/** An authority without userinfo, then anything without white space, control characters or back slashes. */
const ABSOLUTE_HTTP_URL = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * Whether a buyer can be sent to an address after payment: absolute http or https, at most 2048 characters, and no
 * userinfo, which is how addresses are made to look like another's. It may hold the placeholder `{CART_ID}`.
 */
export const isRedirectUrl = (address: string): boolean =>
  address.isWellFormed() &&
  countCharacters(address) <= URL_CHARACTERS_MAX &&
  ABSOLUTE_HTTP_URL.test(address) &&
  URL.canParse(address);
