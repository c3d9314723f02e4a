/** A UUID of any version (RFC 9562) in lower case. */
export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A cart id as it is stored, from one as it was sent: RFC 9562 reads either case; `undefined` if it is no UUID. */
export const parseCartId = (text: string | undefined): string | undefined => {
  const id = text?.toLowerCase();
  return id !== undefined && UUID.test(id) ? id : undefined;
};
