/** RFC 9110, 11.4 and RFC 6750, 2.1: a scheme in any case, spaces, then the token. */
const BEARER_CREDENTIALS = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of a bearer `Authorization` header. `undefined` if the header is missing or malformed. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization?.match(BEARER_CREDENTIALS)?.[1];
