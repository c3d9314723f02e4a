import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { refundablePayment, refundedAmount } from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { formatPrice } from '../../../lib/pages/formats.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { isSubscribedTo } from '../../../lib/deliveries/endpoint-sink.ts';
import type { WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import { type LivePage, livePages, missing } from './live-page.ts';
import { demoKeyOf, factList, requestButton, tableSection, time } from './parts.ts';
import { cartPills } from './pills.ts';
import type { PageRepositories } from './page-repositories.ts';
import { deliveriesSection } from './webhook-sections.ts';

/** The latest events of a log in which the page looks for those of its cart. */
const EVENTS_MAX = 1_000;

/** The events of a cart, the oldest first. */
const eventsOf = async (cart: Cart, events: PageRepositories['events']): Promise<readonly LoggedEvent[]> => {
  const last = await events.last(cart);
  if (!last) return [];
  const page = await events.after(cart, Math.max(0, last.sequence - EVENTS_MAX), EVENTS_MAX);
  return page.events.filter(({ cartId }) => cartId === cart.id);
};

/** The buttons for what can happen to the cart next. */
const actions = (cart: Cart, nowMs: number): Markup => {
  const { status } = statusAt(cart, nowMs);
  const payPath = `${SANDBOX_CHECKOUT_PATH}/${cart.id}`;
  const isTest = cart.mode === 'test';
  const apiKey = demoKeyOf(cart);
  const expire =
    apiKey !== undefined &&
    status === 'waiting_payment' &&
    requestButton('Expire now', {
      apiKey,
      path: `/api/v1/stores/cart/${cart.id}/expire`,
      done: 'The cart is expired.',
    });
  const refund =
    isTest &&
    refundablePayment(cart) !== undefined &&
    requestButton('Refund', {
      path: payPath,
      form: { action: 'refund' },
      done: 'The payment is refunded.',
    });
  return markup`<p class="row">${isTest && markup`<a href="${payPath}">Open the payment page</a>`} ${expire} ${refund}</p>`;
};

const facts = (cart: Cart): Markup => {
  const { amount, currency } = cart.price;
  const refunded = refundedAmount(cart);
  return factList([
    ['Product', `${cart.productName} (${cart.productId})`],
    ['Price', formatPrice({ amount, currency }, 'en')],
    ['Refunded', refunded === undefined ? undefined : formatPrice({ amount: refunded, currency }, 'en')],
    ['Store', `${cart.storeId}, ${cart.mode} mode`],
    ['Cart', markup`<code>${cart.id}</code>`],
    ['Payment', cart.paymentId && markup`<code>${cart.paymentId}</code>`],
    ['Failure', cart.failureReason],
    ['Expiry', markup`${time(cart.expiresAtMs)}`],
  ]);
};

const NO_EVENT = 'There is no event yet. A payment, a refund or the expiry causes one.';

const NO_WEBHOOK = markup`No <a href="/#endpoints">endpoint</a> was enabled for the events of this cart.`;

/** Why the cart has no deliveries. The fan-out follows the log within moments. */
const whyNone = (events: readonly LoggedEvent[], endpoints: readonly WebhookEndpoint[]): string | Markup => {
  if (events.length === 0) return NO_EVENT;
  const isAwaited = events.some((event) =>
    endpoints.some(
      (endpoint) => endpoint.createdAtMs <= event.recordedAtMs && isSubscribedTo(endpoint, event),
    ),
  );
  return isAwaited ? 'The webhook follows in a moment.' : NO_WEBHOOK;
};

const cartContent = (
  cart: Cart,
  events: readonly LoggedEvent[],
  webhooks: Markup,
  nowMs: number,
): Markup => markup`
<section>
<p>${cartPills(cart, nowMs)}</p>
${facts(cart)}
${actions(cart, nowMs)}
</section>
${tableSection({
  id: 'timeline',
  heading: 'Timeline',
  items: [{ recordedAtMs: cart.createdAtMs, type: 'created', id: '' }, ...events],
  columns: {
    Time: ({ recordedAtMs }) => time(recordedAtMs),
    Event: ({ type }) => type,
    Id: ({ id }) => id,
  },
})}
${webhooks}`;

const render = async (cart: Cart, repositories: PageRepositories): Promise<LivePage> => {
  const events = await eventsOf(cart, repositories.events);
  const endpoints = (await repositories.endpoints.list()).filter(
    ({ storeId, mode }) => storeId === cart.storeId && mode === cart.mode,
  );
  const deliveries = await Promise.all(
    events.toReversed().flatMap(({ id: eventId, recordedAtMs }) =>
      endpoints.map(async (endpoint) => {
        const record = await repositories.deliveries.find({ endpoint, eventId, recordedAtMs });
        return record ? [{ ...record, endpoint }] : [];
      }),
    ),
  );
  const webhooks = deliveriesSection('Webhooks', deliveries.flat(), whyNone(events, endpoints));
  return { title: cart.productName, live: cartContent(cart, events, webhooks, repositories.now()) };
};

/** Finds the page of a cart, `/carts/{cartId}`. It shows nothing about the buyer. */
export const cartPages = (repositories: PageRepositories) =>
  livePages(/^\/carts\/([\da-f-]{36})$/i, async (cartId) => {
    const cart = await repositories.findCart(cartId.toLowerCase());
    return cart
      ? render(cart, repositories)
      : missing('cart', 'The cart was deleted, or it is on another stage.');
  });
