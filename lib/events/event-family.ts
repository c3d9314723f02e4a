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

/** The types of the events in a log, each with its family. */
const EVENT_FAMILIES = {
  'cart.completed': 'payment',
  'cart.payment_failed': 'payment',
  'cart.abandoned': 'abandonment',
  'cart.duplicate_payment': 'payment',
  'cart.refunded': 'payment',
  'webhook_endpoint.created': 'endpoint',
  'webhook_endpoint.updated': 'endpoint',
  'webhook_endpoint.disabled': 'endpoint',
  'webhook_endpoint.deleted': 'endpoint',
  'webhook_endpoint.secret_rotated': 'endpoint',
} as const satisfies Readonly<Record<string, EventFamily>>;

export type LoggedType = keyof typeof EVENT_FAMILIES;

/** The family of a type. One of a later release about a cart belongs to the family with the fewest writers. */
const familyOf = (type: string): EventFamily => {
  const known: Readonly<Record<string, EventFamily>> = EVENT_FAMILIES;
  if (Object.hasOwn(known, type)) return known[type] ?? 'payment';
  return type.startsWith('webhook_endpoint.') ? 'endpoint' : 'payment';
};

/** The attribute that has the body of events of a type. */
export const bodyAttributeOf = (type: string): string => BODY_ATTRIBUTES[familyOf(type)];
