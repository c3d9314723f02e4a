/** EventBridge's `source` of the events that this service tells. */
export const CART_EVENT_SOURCE = 'cart-checkout';

/** EventBridge's `detail-type` of a cart that changed its status; `docs/events.md` is its contract. */
export const STATUS_CHANGED = 'cart.status_changed';

/** Of a table stream's records, those of a write that changed a cart's status: `payment-store.ts` marks them. */
export const STATUS_CHANGED_FILTER = {
  eventName: ['MODIFY'],
  dynamodb: { NewImage: { statusChange: { M: { to: { S: [{ exists: true }] } } } } },
} as const;

/** Where a record of a table's stream holds each field of the event. */
export const STATUS_CHANGED_FIELDS = {
  cartId: 'id.S',
  storeId: 'storeId.S',
  mode: 'mode.S',
  from: 'statusChange.M.from.S',
  to: 'statusChange.M.to.S',
  paymentId: 'paymentId.S',
  occurredAt: 'statusChange.M.occurredAt.S',
} as const;

/** The event's `detail`, as it is told. */
export type StatusChanged = Readonly<Record<keyof typeof STATUS_CHANGED_FIELDS, string>>;

/** The event's `detail`, as a template of EventBridge Pipes: it escapes what it puts in. */
export const STATUS_CHANGED_TEMPLATE = JSON.stringify(
  Object.fromEntries(
    Object.entries(STATUS_CHANGED_FIELDS).map(([name, path]) => [name, `<$.dynamodb.NewImage.${path}>`]),
  ),
);
