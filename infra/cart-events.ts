/** The EventBridge `source` of the events that this service sends. */
export const CART_EVENT_SOURCE = 'cart-checkout';

/**
 * The events about carts, by their EventBridge `detail-type`. `docs/events.md` describes them. A payment marks its write
 * with `statusChange` or `duplicatePayment`: see `payment-store.ts`.
 *
 * - `filter`: selects the records of the table's stream that become this event.
 * - `fields`: the path of each field of the event in a record's new image.
 */
export const CART_EVENTS = {
  'cart.status_changed': {
    filter: {
      eventName: ['MODIFY'],
      dynamodb: { NewImage: { statusChange: { M: { to: { S: [{ exists: true }] } } } } },
    },
    fields: {
      cartId: 'id.S',
      storeId: 'storeId.S',
      mode: 'mode.S',
      from: 'statusChange.M.from.S',
      to: 'statusChange.M.to.S',
      paymentId: 'paymentId.S',
      occurredAt: 'statusChange.M.occurredAt.S',
    },
  },
  'cart.duplicate_payment': {
    filter: {
      eventName: ['MODIFY'],
      dynamodb: { NewImage: { duplicatePayment: { M: { paymentId: { S: [{ exists: true }] } } } } },
    },
    fields: {
      cartId: 'id.S',
      storeId: 'storeId.S',
      mode: 'mode.S',
      paymentId: 'paymentId.S',
      duplicatePaymentId: 'duplicatePayment.M.paymentId.S',
      occurredAt: 'duplicatePayment.M.occurredAt.S',
    },
  },
} as const;

export type CartEventType = keyof typeof CART_EVENTS;

/** An event about a cart, as it is on the bus. */
export type CartEvent = {
  [Type in CartEventType]: {
    readonly source: typeof CART_EVENT_SOURCE;
    readonly 'detail-type': Type;
    readonly detail: Readonly<Record<keyof (typeof CART_EVENTS)[Type]['fields'], string>>;
  };
}[CartEventType];

/** The `detail` of an event as an input template of EventBridge Pipes. The pipe escapes the values that it inserts. */
export const templateOf = (type: CartEventType): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(CART_EVENTS[type].fields).map(([name, path]) => [name, `<$.dynamodb.NewImage.${path}>`]),
    ),
  );
