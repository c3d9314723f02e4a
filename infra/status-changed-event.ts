/** The EventBridge `source` of the events that this service sends. */
export const CART_EVENT_SOURCE = 'cart-checkout';

/** The EventBridge `detail-type` of a change of status. `docs/events.md` describes the event. */
export const STATUS_CHANGED = 'cart.status_changed';

/** Selects the stream records of writes that changed a cart's status. `payment-store.ts` marks them. */
export const STATUS_CHANGED_FILTER = {
  eventName: ['MODIFY'],
  dynamodb: { NewImage: { statusChange: { M: { to: { S: [{ exists: true }] } } } } },
} as const;

/** The path of each event field in a stream record's new image. */
export const STATUS_CHANGED_FIELDS = {
  cartId: 'id.S',
  storeId: 'storeId.S',
  mode: 'mode.S',
  from: 'statusChange.M.from.S',
  to: 'statusChange.M.to.S',
  paymentId: 'paymentId.S',
  occurredAt: 'statusChange.M.occurredAt.S',
} as const;

/** The `detail` of the event. */
export type StatusChanged = Readonly<Record<keyof typeof STATUS_CHANGED_FIELDS, string>>;

/** The `detail` as an input template of EventBridge Pipes. The pipe escapes the values that it inserts. */
export const STATUS_CHANGED_TEMPLATE = JSON.stringify(
  Object.fromEntries(
    Object.entries(STATUS_CHANGED_FIELDS).map(([name, path]) => [name, `<$.dynamodb.NewImage.${path}>`]),
  ),
);
