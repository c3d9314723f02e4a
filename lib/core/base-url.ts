/** An authority without user info, then a path without a trailing slash, query or fragment. */
const BASE_URL = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*[^\s?#/])?$/i;

/** Whether a path can be appended to an address: absolute http(s), without user, query, fragment and trailing slash. */
export const isBaseUrl = (address: string): boolean => BASE_URL.test(address) && URL.canParse(address);
