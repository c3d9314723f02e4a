/** A UUID of any version (RFC 9562) in lower case. */
export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Converts a cart id from a request to its stored form, lower case. Returns `undefined` if it is not a UUID. */
export const parseCartId = (text: string | undefined): string | undefined =>
  text?.toLowerCase().match(UUID)?.[0];
