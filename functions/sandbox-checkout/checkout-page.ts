import { isoTime } from '../../lib/core/rfc3339.ts';
import { statusAt } from '../../lib/carts/cart-lifecycle.ts';
import { refundablePayment, refundedAmount } from '../../lib/carts/cart-refunds.ts';
import type { Cart, CartStatus } from '../../lib/carts/cart.ts';
import { leaveAddress, returnAddress } from '../../lib/carts/return-address.ts';
import type { Texts } from './english.ts';
import { buyerLocale, formatPrice, formatTime, timeLocale } from '../../lib/pages/formats.ts';
import { type Markup, markup } from '../../lib/pages/markup.ts';
import { maskEmail, maskPhone } from './mask.ts';
import type { Notice } from './notices.ts';
import { formTargetOf, type Page } from './page.ts';
import { testControls } from './test-controls.ts';
import { TRANSLATIONS } from './translations.ts';
import { type Language, languageOf } from '../../lib/pages/language.ts';

interface View {
  readonly cart: Cart;
  readonly storeName: string;
  readonly status: CartStatus;
  readonly language: Language;
  readonly texts: Texts;
  /** The buyer's locale, whose language may differ from the page's. */
  readonly locale: string;
  /** The merchant's address for the buyer's return at this status, if there is one. */
  readonly address: string | undefined;
  readonly notice: Notice | undefined;
}

/** The longest amount whose large form fits on a phone. */
const LARGE_CHARACTERS_MAX = 12;

const price = ({ cart, locale }: View): string => formatPrice(cart.price, locale);

const amount = (view: View): Markup => markup`<bdi lang="${view.locale}">${price(view)}</bdi>`;

const row = (term: string, value: Markup | undefined): Markup =>
  value ? markup`<div><dt>${term}</dt><dd>${value}</dd></div>` : markup``;

/** Isolates a merchant's or buyer's text. Its direction and control characters do not affect the text around it. */
const isolated = (text: string): Markup => markup`<bdi>${text}</bdi>`;

const isolatedIfAny = (text: string | undefined): Markup | undefined => (text ? isolated(text) : undefined);

const time = (timeMs: number, { language, locale }: View): Markup => {
  const lang = timeLocale(language, locale);
  return markup`<time lang="${lang}" datetime="${isoTime(timeMs)}">${formatTime(timeMs, lang)}</time>`;
};

const buyerName = ({ firstName, lastName }: Cart['customerInfo']): Markup | undefined =>
  firstName || lastName ? markup`${isolatedIfAny(firstName)} ${isolatedIfAny(lastName)}` : undefined;

/** When the checkout expires or expired. It never expires after a payment, even a failed one. */
const expiry = (view: View): Markup | undefined => {
  const { cart, status, texts } = view;
  if (status === 'waiting_payment') return row(texts.openUntil, time(cart.expiresAtMs, view));
  return status === 'abandoned' ? row(texts.expiredAt, time(cart.expiresAtMs, view)) : undefined;
};

const summary = (view: View): Markup => {
  const { cart, storeName, texts } = view;
  const { email, phone } = cart.customerInfo;
  const size = price(view).length > LARGE_CHARACTERS_MAX ? 'long amount' : 'amount';
  return markup`
<section class="summary" aria-labelledby="product">
<p class="seller"><span class="label">${texts.soldBy}</span> ${isolated(storeName)}</p>
<h1 id="product">${isolated(cart.productName)}</h1>
<p class="${size}"><span class="label">${texts.total}</span> ${amount(view)}</p>
<dl>${[
    row(texts.name, buyerName(cart.customerInfo)),
    row(texts.email, isolatedIfAny(email && maskEmail(email))),
    row(texts.phone, isolatedIfAny(phone && maskPhone(phone))),
  ]}${expiry(view)}</dl>
</section>`;
};

/** The notices about an action that the service rejected. */
const REJECTIONS: ReadonlySet<Notice> = new Set([
  'wrong_amount',
  'too_many_payments',
  'has_payment',
  'nothing_to_refund',
]);

/** The buyer's next step where no button leads on. */
const nextStep = ({ status, address, storeName, texts }: View): Markup => {
  if (status === 'abandoned') return markup` ${texts.startAgainAt} ${isolated(storeName)}.`;
  return status === 'completed' && address === undefined ? markup` ${texts.canClose}` : markup``;
};

/** The status and the notice about the last action. */
const state = (view: View): Markup => {
  const { cart, status, texts, notice } = view;
  const { latePayment } = cart;
  return markup`
<div class="state" role="status">
<p class="pill ${status}">${texts.statuses[status].heading}</p>${latePayment && markup` <p class="pill late">${texts.late.heading}</p>`}
<p>${texts.statuses[status].text}${latePayment && ` ${texts.late.text}`}${nextStep(view)}</p>
${notice && markup`<p class="${REJECTIONS.has(notice) ? 'rejected notice' : 'notice'}">${texts.notices[notice]}</p>`}
</div>`;
};

/** Without an `action` attribute, browsers send the form to the page's own address, with any stage prefix. */
const payForm = (view: View): Markup => markup`
<form method="post">
<button class="primary" name="action" value="pay">${view.texts.buttons.pay} ${amount(view)}</button>
<button name="action" value="leave">${view.texts.buttons.leave}</button>
</form>`;

const wayBack = ({ address, storeName, texts }: View): Markup | undefined =>
  address === undefined
    ? undefined
    : markup`<a class="button primary" href="${address}"><span>${texts.backTo} ${isolated(storeName)}</span></a>`;

/** The line with the refunded amount. */
const refunded = ({ cart, locale, texts }: View): Markup => {
  const given = refundedAmount(cart);
  if (given === undefined) return markup``;
  const text = formatPrice({ amount: given, currency: cart.price.currency }, locale);
  return row(texts.refunded, markup`<bdi lang="${locale}">${text}</bdi>`);
};

const receipt = (view: View): Markup =>
  markup`<dl>${row(view.texts.paidAt, time(view.cart.updatedAtMs, view))}${row(view.texts.paymentId, markup`<code>${view.cart.paymentId}</code>`)}${refunded(view)}</dl>`;

/** The buyer's part: the payment while the checkout is open, or the receipt. */
const payment = (view: View): Markup => {
  const { status, texts } = view;
  const isOpen = status === 'waiting_payment' || status === 'payment_failed';
  return markup`
<section aria-labelledby="payment">
<h2 id="payment">${status === 'completed' ? texts.receipt : texts.payment}</h2>${state(view)}
${status === 'completed' && receipt(view)}${isOpen ? payForm(view) : wayBack(view)}
</section>`;
};

interface CheckoutPageOptions {
  readonly storeName: string;
  readonly nowMs: number;
  readonly notice: Notice | undefined;
  /** The header of this name. */
  readonly acceptLanguage: string | undefined;
}

/** The notices that a receipt can have. */
const OF_RECEIPT: ReadonlySet<Notice | undefined> = new Set(['has_payment', 'nothing_to_refund']);

/** The page of a cart at `nowMs`: the buyer's card, and the test controls until nothing is left to do. */
export const checkoutPage = (
  cart: Cart,
  { storeName, nowMs, notice, acceptLanguage }: CheckoutPageOptions,
): Page => {
  const { lang } = cart.customerInfo;
  const language = languageOf(lang, acceptLanguage);
  const texts = TRANSLATIONS[language];
  const { status } = statusAt(cart, nowMs);
  const view: View = {
    cart,
    storeName,
    status,
    language,
    texts,
    locale: buyerLocale(lang, acceptLanguage, language),
    address: leaveAddress(cart, status),
    notice: status === 'completed' && !OF_RECEIPT.has(notice) ? undefined : notice,
  };
  // The form redirects to either.
  const addresses = [view.address, returnAddress(cart, status)].filter((address) => address !== undefined);
  return {
    language,
    heading: texts.statuses[status].heading,
    content: markup`<div class="card">${summary(view)}${payment(view)}</div>${(status !== 'completed' || refundablePayment(cart)) && testControls(status, texts)}`,
    footnote: markup`${texts.reference} <code>${cart.id}</code>`,
    formTargets: ["'self'", ...new Set(addresses.map(formTargetOf))],
  };
};
