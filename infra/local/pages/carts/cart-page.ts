import { OPERATIONS, SANDBOX_CHECKOUT_PATH } from '../../../../functions/operations.ts';
import { refundablePayment, refundedAmount } from '../../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../../lib/carts/cart-status.ts';
import { type CheckoutUrls, viewRetrievedCart } from '../../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { isSubscribedTo } from '../../../../lib/deliveries/queue/endpoint-sink.ts';
import type { WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { formatPrice } from '../../../../lib/pages/format-price.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { PageSources } from '../page-sources.ts';
import { codeBlock } from '../parts/code.ts';
import { copyable, demoKeyOf, factList, requestButton, shortId, time } from '../parts/elements.ts';
import { type LivePage, livePages, missing } from '../parts/live-page.ts';
import { cartPills } from './cart-pills.ts';
import { cartTimeline } from './cart-timeline.ts';

/** The latest events of a log in which the page looks for those of its cart. */
const EVENTS_MAX = 1_000;

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
      path: OPERATIONS.expireCart.path.replace('{cartId}', cart.id),
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
  const page = status === 'completed' ? 'Open the receipt' : 'Open the payment page';
  return markup`<p class="row">${isTest && markup`<a href="${payPath}">${page}</a>`} ${expire} ${refund}</p>`;
};

/** The strings of the merchant, each on a line of its own. */
const metaOf = ({ meta }: Cart): Markup | undefined => {
  const lines = Object.entries(meta).map(([name, value]) => markup`<div><code>${name}</code> ${value}</div>`);
  return lines.length > 0 ? markup`${lines}` : undefined;
};

const facts = (cart: Cart): Markup => {
  const { amount, currency } = cart.price;
  const refunded = refundedAmount(cart);
  return factList([
    ['Product', `${cart.productName} (${cart.productId})`],
    ['Price', formatPrice({ amount, currency }, 'en')],
    ['Refunded', refunded === undefined ? undefined : formatPrice({ amount: refunded, currency }, 'en')],
    ['Failure', cart.failureReason],
    ['Store', `${cart.storeId}, ${cart.mode} mode`],
    ['Cart', copyable('cart-id', 'the id of the cart', cart.id)],
    ['Payment', cart.paymentId && copyable('payment-id', 'the id of the payment', cart.paymentId)],
    ['meta', metaOf(cart)],
    ['Return address', cart.returnUrl],
    ['Address after leaving', cart.cancelUrl],
    ['Expiry', time(cart.expiresAtMs)],
  ]);
};

const NO_EVENT = markup`<p>There is no event yet. A payment, a refund or the expiry causes one.</p>`;

const NO_WEBHOOK = markup`<p>No <a href="/endpoints">endpoint</a> was enabled for the events of this cart.</p>`;

/** Why a cart has no deliveries. The fan-out follows the log within moments. */
const whyNone = (events: readonly LoggedEvent[], endpoints: readonly WebhookEndpoint[]): Markup => {
  if (events.length === 0) return NO_EVENT;
  const isAwaited = events.some((event) =>
    endpoints.some(
      (endpoint) => endpoint.createdAtMs <= event.recordedAtMs && isSubscribedTo(endpoint, event),
    ),
  );
  return isAwaited ? markup`<p>The webhook follows in a moment.</p>` : NO_WEBHOOK;
};

/** The cart as a program retrieves it. */
const retrieved = (cart: Cart, nowMs: number, urls: CheckoutUrls): Markup => markup`
<section>
<h2>As your program retrieves it</h2>
${codeBlock('cart-json', 'the cart as JSON', JSON.stringify(viewRetrievedCart(cart, nowMs, urls), undefined, 2))}
</section>`;

const render = async (cart: Cart, sources: PageSources, urls: CheckoutUrls): Promise<LivePage> => {
  const nowMs = sources.now();
  const events = (await sources.latestEvents(cart, EVENTS_MAX)).filter(({ cartId }) => cartId === cart.id);
  const endpoints = (await sources.endpoints.list()).filter(
    ({ storeId, mode }) => storeId === cart.storeId && mode === cart.mode,
  );
  const deliveries = await Promise.all(
    events.flatMap(({ id: eventId, recordedAtMs }) =>
      endpoints.map(async (endpoint) => {
        const record = await sources.deliveries.find({ endpoint, eventId, recordedAtMs });
        return record ? [{ ...record, endpoint }] : [];
      }),
    ),
  );
  const note = deliveries.every((found) => found.length === 0) && whyNone(events, endpoints);
  const live = markup`
<section>
<p>${cartPills(cart, nowMs)}</p>
${facts(cart)}
${actions(cart, nowMs)}
</section>
${cartTimeline(cart, events, deliveries.flat(), note)}
${retrieved(cart, nowMs, urls)}`;
  return { title: `${cart.productName} · cart ${shortId(cart.id)}`, live };
};

/** Finds the page of a cart, `/carts/{cartId}`. */
export const cartPages = (sources: PageSources, urls: CheckoutUrls) =>
  livePages(/^\/carts\/([\da-f-]{36})$/i, async ([cartId = '']) => {
    const cart = await sources.findCart(cartId.toLowerCase());
    return cart
      ? render(cart, sources, urls)
      : missing('cart', 'The cart was deleted, or it is on another stage.');
  });
