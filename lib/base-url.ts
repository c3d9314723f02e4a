/** An authority without userinfo, then a path that does not end in a slash, without query and fragment. */
const BASE_URL = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*[^\s?#/])?$/i;

/** Whether an address is one to which a path can be appended: absolute http(s), no user, query, fragment or last slash. */
export const isBaseUrl = (address: string): boolean => BASE_URL.test(address) && URL.canParse(address);
