/**
 * The families of events, each with the attribute of an item that has the body. IAM cannot read the type of an event, but it
 * can limit a role to attributes: a role writes the events of its own families alone.
 */
export const BODY_ATTRIBUTES = {
  payment: 'paymentBody',
  abandonment: 'abandonmentBody',
  endpoint: 'endpointBody',
} as const;

export type EventFamily = keyof typeof BODY_ATTRIBUTES;

/** The family of a type. An unknown type, such as one of a later release, belongs to the family with the fewest writers. */
const familyOf = (type: string): EventFamily => {
  if (type.startsWith('webhook_endpoint.')) return 'endpoint';
  return type === 'cart.abandoned' ? 'abandonment' : 'payment';
};

/** The attribute that has the body of events of a type. */
export const bodyAttributeOf = (type: string): string => BODY_ATTRIBUTES[familyOf(type)];
