import { refundablePayment, refundedAmount } from '../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import { canBePaid } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { leaveAddress, returnAddress } from '../../../lib/carts/return-address.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { formatPrice } from '../../../lib/pages/format-price.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import type { CardAction } from '../actions.ts';
import { type Notice, RECEIPT_NOTICES } from '../notices.ts';
import { buyerLocale, formatTime, languageOf, timeLocale } from '../texts/language.ts';
import { TRANSLATIONS } from '../texts/translations.ts';
import { lastRefund, pillsOf, stateSection } from './checkout-state.ts';
import { isolated, row } from './elements.ts';
import { maskEmail, maskPhone } from './mask.ts';
import { formTargetOf, type Page } from './page-response.ts';
import type { ShownCheckout } from './shown-checkout.ts';
import { testControls } from './test-controls.ts';

/** The class of a total by its number of characters: each size fits on a phone. */
const sizeOf = ({ length }: string): string => {
  if (length <= 12) return 'amount';
  return length <= 18 ? 'long amount' : 'longest amount';
};

const price = ({ cart, locale }: ShownCheckout): string => formatPrice(cart.price, locale);

const amount = (shown: ShownCheckout): Markup => markup`<bdi lang="${shown.locale}">${price(shown)}</bdi>`;

const isolatedIfAny = (text: string | undefined): Markup | undefined => (text ? isolated(text) : undefined);

const time = (timeMs: number, { language, locale }: ShownCheckout): Markup => {
  const lang = timeLocale(language, locale);
  return markup`<time lang="${lang}" datetime="${isoTime(timeMs)}">${formatTime(timeMs, lang)}</time>`;
};

const buyerName = ({ firstName, lastName }: Cart['customerInfo']): Markup | undefined =>
  firstName || lastName ? markup`${isolatedIfAny(firstName)} ${isolatedIfAny(lastName)}` : undefined;

/** When the checkout expires or expired. It never expires after a payment, even a failed one. */
const expiry = (shown: ShownCheckout): Markup | undefined => {
  const { cart, status, texts } = shown;
  if (status === 'waiting_payment') return row(texts.openUntil, time(cart.expiresAtMs, shown));
  return status === 'abandoned' ? row(texts.expiredAt, time(cart.expiresAtMs, shown)) : undefined;
};

const backToStore = ({ storeName, texts }: ShownCheckout): Markup =>
  markup`<span>${texts.backTo} ${isolated(storeName)}</span>`;

const summary = (shown: ShownCheckout): Markup => {
  const { cart, storeName, status, leaveUrl, texts } = shown;
  const { email, phone } = cart.customerInfo;
  const size = sizeOf(price(shown));
  return markup`
<section class="summary" aria-labelledby="product">
${canBePaid(status) && leaveUrl !== undefined && markup`<a class="back" href="${leaveUrl}">${backToStore(shown)}</a>`}
<p class="seller"><span class="label">${texts.soldBy}</span> ${isolated(storeName)}</p>
<h1 id="product">${isolated(cart.productName)}</h1>
<p class="${size}"><span class="label">${texts.total}</span> ${amount(shown)}</p>
<dl>${[
    row(texts.name, buyerName(cart.customerInfo)),
    row(texts.email, isolatedIfAny(email && maskEmail(email))),
    row(texts.phone, isolatedIfAny(phone && maskPhone(phone))),
  ]}${expiry(shown)}</dl>
</section>`;
};

/** The test cards with their well-known numbers, the default first. */
const CARDS: readonly (readonly [CardAction, number: string])[] = [
  ['pay', '4242 4242 4242 4242'],
  ['decline', '4000 0000 0000 0002'],
];

/** Without an `action` attribute, browsers send the form to the page's own address, with any stage prefix. */
const payForm = (shown: ShownCheckout): Markup => markup`
<form method="post">
<fieldset><legend>${shown.texts.testCard}</legend>${CARDS.map(
  ([action, number]) => markup`
<label><input type="radio" name="action" value="${action}"${action === 'pay' && markup` checked`}><span><b>${number}</b> ${shown.texts.cards[action]}</span></label>`,
)}
</fieldset>
<button class="primary" id="pay" data-busy="${shown.texts.paying}">${shown.texts.buttons.pay} ${amount(shown)}</button>
</form>`;

const wayBack = (shown: ShownCheckout): Markup | undefined =>
  shown.leaveUrl === undefined
    ? undefined
    : markup`<a class="button primary" href="${shown.leaveUrl}">${backToStore(shown)}</a>`;

/** The refunded amount, and when the last refund happened. */
const refunds = (shown: ShownCheckout): Markup | undefined => {
  const { cart, locale, texts } = shown;
  const given = refundedAmount(cart);
  const last = lastRefund(cart);
  if (given === undefined || last === undefined) return undefined;
  const text = formatPrice({ amount: given, currency: cart.price.currency }, locale);
  return markup`${row(texts.refund, markup`<bdi lang="${locale}">${text}</bdi>`)}${row(texts.refundedAt, time(last.occurredAtMs, shown))}`;
};

const receipt = (shown: ShownCheckout): Markup =>
  markup`<dl>${row(shown.texts.paidAt, time(shown.cart.updatedAtMs, shown))}${refunds(shown)}${row(shown.texts.paymentId, markup`<code>${shown.cart.paymentId}</code>`)}</dl>`;

/** The buyer's part: the payment while the checkout is open, or the receipt. */
const payment = (shown: ShownCheckout): Markup => {
  const { status, texts } = shown;
  return markup`
<section aria-labelledby="payment">
<h2 id="payment">${status === 'completed' ? texts.receipt : texts.payment}</h2>${stateSection(shown)}
${status === 'completed' && receipt(shown)}${canBePaid(status) ? payForm(shown) : wayBack(shown)}
</section>`;
};

interface CheckoutPageOptions {
  readonly storeName: string;
  readonly nowMs: number;
  readonly notice: Notice | undefined;
  /** The header of this name. */
  readonly acceptLanguage: string | undefined;
}

/** The page of a cart at `nowMs`: the buyer's card, and the test controls until nothing is left to do. */
export const checkoutPage = (
  cart: Cart,
  { storeName, nowMs, notice, acceptLanguage }: CheckoutPageOptions,
): Page => {
  const { lang } = cart.customerInfo;
  const language = languageOf(lang, acceptLanguage);
  const texts = TRANSLATIONS[language];
  const { status } = statusAt(cart, nowMs);
  const shown: ShownCheckout = {
    cart,
    storeName,
    status,
    language,
    texts,
    locale: buyerLocale(lang, acceptLanguage, language),
    leaveUrl: leaveAddress(cart, status),
    notice: status === 'completed' && !RECEIPT_NOTICES.has(notice) ? undefined : notice,
  };
  const returnUrl = returnAddress(cart, status);
  return {
    language,
    heading: pillsOf(shown)[0]?.[1].heading ?? texts.payment,
    content: markup`<div class="card">${summary(shown)}${payment(shown)}</div>${(status !== 'completed' || refundablePayment(cart)) && testControls(status, texts)}`,
    footnote: markup`${texts.reference} <code>${cart.id}</code>`,
    formTargets: ["'self'", ...(returnUrl === undefined ? [] : [formTargetOf(returnUrl)])],
  };
};
