import { duplicatePaymentIds } from '../../../../lib/carts/cart-payments.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { tookMoney } from '../../../../lib/carts/payment.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { formatPrice } from '../../../../lib/pages/format-price.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { Price } from '../../../../lib/products/price.ts';
import { breakable, tableSection, time } from '../parts/elements.ts';
import { type Delivery, deliveryPath, deliveryState } from '../webhooks/delivery-parts.ts';
import { shortEndpointName } from '../webhooks/endpoint-parts.ts';

/** A row of the timeline. */
interface Moment {
  readonly atMs: number;
  readonly what: string;
  readonly detail?: Markup | string | undefined;
  readonly id?: string | undefined;
}

const priceText = ({ amount, currency }: Price): string => formatPrice({ amount, currency }, 'en');

const paymentsOf = (cart: Cart): readonly Moment[] => {
  const duplicates = duplicatePaymentIds(cart);
  return (cart.payments ?? []).map((payment) => {
    const { occurredAtMs: atMs, paymentId: id, result, failureReason } = payment;
    const name = duplicates.includes(id) ? 'Second payment' : 'Payment';
    return tookMoney(result)
      ? { atMs, what: `${name} succeeded`, detail: priceText(payment), id }
      : { atMs, what: 'Payment failed', detail: failureReason, id };
  });
};

const refundsOf = ({ refunds = [] }: Cart): readonly Moment[] =>
  refunds.map((refund) => ({
    atMs: refund.occurredAtMs,
    what: 'Refund',
    detail: priceText(refund),
    id: refund.refundId,
  }));

/** An event with its deliveries, each as a link to its page. */
const eventMoment = (
  { recordedAtMs: atMs, type, id }: LoggedEvent,
  deliveries: readonly Delivery[],
): Moment => ({
  atMs,
  what: `Event ${type}`,
  detail: markup`${deliveries.map(
    (delivery) =>
      markup`<div class="row"><a href="${deliveryPath(delivery)}">${breakable(shortEndpointName(delivery.endpoint))}</a> ${deliveryState(delivery)}</div>`,
  )}`,
  id,
});

/** Everything that happened to a cart, the oldest first: its payments and refunds, its events, and their deliveries. */
export const cartTimeline = (
  cart: Cart,
  events: readonly LoggedEvent[],
  deliveries: readonly Delivery[],
  note: Markup | false,
): Markup => {
  const moments: readonly Moment[] = [
    { atMs: cart.createdAtMs, what: 'Created', detail: priceText(cart.price), id: cart.id },
    ...paymentsOf(cart),
    ...refundsOf(cart),
    ...events.map((event) =>
      eventMoment(
        event,
        deliveries.filter(({ eventId }) => eventId === event.id),
      ),
    ),
  ];
  return tableSection({
    id: 'timeline',
    heading: 'Timeline',
    items: moments.toSorted((a, b) => a.atMs - b.atMs),
    columns: {
      What: ({ what }) => what,
      Details: ({ detail }) => detail,
      Id: ({ id }) => id && markup`<code>${id}</code>`,
      When: ({ atMs }) => time(atMs),
    },
    note,
  });
};
