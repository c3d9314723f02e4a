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

/** Every type of event in a log, with its family, in the order of the documents. */
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

/** A type of events. An endpoint may select some of them. */
export type EventType = keyof typeof EVENT_FAMILIES;

/** The type of a test event without an example. No log has such an event. */
export const PING_TYPE = 'webhook.ping';

/** The type in the body of a webhook: a test event has the type of its example. */
export type WebhookType = EventType | typeof PING_TYPE;

/** A type of events about carts. */
export type CartEventType = Extract<EventType, `cart.${string}`>;

/** A type of events about webhook endpoints: they show a merchant also what somebody else does to them. */
export type EndpointEventType = Exclude<EventType, CartEventType>;

/** A type of events that payments and refunds cause. */
export type PaymentCausedEventType = {
  [Type in EventType]: (typeof EVENT_FAMILIES)[Type] extends 'payment' ? Type : never;
}[EventType];

const isCartEventType = (type: EventType): type is CartEventType => type.startsWith('cart.');

/** Every type of event. */
export const EVENT_TYPES = /* @__PURE__ */ Object.keys(EVENT_FAMILIES) as readonly EventType[];

/** The types of events about carts. */
export const CART_EVENT_TYPES = /* @__PURE__ */ EVENT_TYPES.filter(isCartEventType);

/** The types of events about webhook endpoints. */
export const ENDPOINT_EVENT_TYPES = /* @__PURE__ */ EVENT_TYPES.filter((type) => !isCartEventType(type));

/** The family of a type. One of a later release about a cart belongs to the family with the fewest writers. */
const familyOf = (type: string): EventFamily => {
  const known: Readonly<Record<string, EventFamily>> = EVENT_FAMILIES;
  if (Object.hasOwn(known, type)) return known[type] ?? 'payment';
  return type.startsWith('webhook_endpoint.') ? 'endpoint' : 'payment';
};

/** The attribute that has the body of events of a type. */
export const bodyAttributeOf = (type: string): string => BODY_ATTRIBUTES[familyOf(type)];
