import { statusAt } from '../carts/cart-lifecycle.ts';
import type { Cart, CartStatus } from '../carts/cart.ts';
import { returnAddress } from '../carts/return-address.ts';
import type { Action } from './actions.ts';
import type { Texts } from './english.ts';
import { formatPrice, formatTime, localeOf } from './formats.ts';
import { type Markup, markup } from './markup.ts';
import { maskEmail, maskPhone } from './mask.ts';
import type { Notice } from './notices.ts';
import { formTargetOf, type Page } from './page.ts';
import { type Language, languageOf, TRANSLATIONS } from './translations.ts';

interface View {
  readonly cart: Cart;
  readonly storeName: string;
  readonly status: CartStatus;
  readonly language: Language;
  readonly texts: Texts;
  /** The price in the buyer's locale. */
  readonly amount: string;
  /** The merchant's address for the buyer's return, if there is one. */
  readonly address: string | undefined;
  readonly notice: Notice | undefined;
}

/** Marks a text as one in the buyer's locale, whose language may differ from the page's. */
const inLocaleOf = ({ customerInfo: { lang } }: Cart, text: string): Markup => {
  const locale = localeOf(lang);
  return locale === undefined ? isolated(text) : markup`<bdi lang="${locale}">${text}</bdi>`;
};

const row = (term: string, value: Markup | undefined): Markup =>
  value ? markup`<div><dt>${term}</dt><dd>${value}</dd></div>` : markup``;

/** Isolates a merchant's or buyer's text. Its direction and control characters do not affect the text around it. */
const isolated = (text: string): Markup => markup`<bdi>${text}</bdi>`;

const isolatedIfAny = (text: string | undefined): Markup | undefined => (text ? isolated(text) : undefined);

const time = (timeMs: number, { cart, language }: View): Markup =>
  markup`<time datetime="${new Date(timeMs).toISOString()}">${formatTime(timeMs, language, cart.customerInfo.lang)}</time>`;

const buyerName = ({ firstName, lastName }: Cart['customerInfo']): Markup | undefined =>
  firstName || lastName ? markup`${isolatedIfAny(firstName)} ${isolatedIfAny(lastName)}` : undefined;

/** When the checkout expires or expired. It never expires after a payment, even a failed one. */
const expiry = (view: View): Markup | undefined => {
  const { cart, status, texts } = view;
  if (status === 'waiting_payment') return row(texts.openUntil, time(cart.expiresAtMs, view));
  return status === 'abandoned' ? row(texts.expiredAt, time(cart.expiresAtMs, view)) : undefined;
};

/** The longest amount whose large form fits on a phone. */
const LARGE_CHARACTERS_MAX = 12;

const summary = (view: View): Markup => {
  const { cart, storeName, texts, amount } = view;
  const { email, phone } = cart.customerInfo;
  return markup`
<section class="summary" aria-labelledby="product">
<h1 id="product">${isolated(cart.productName)}</h1>
<p class="${amount.length > LARGE_CHARACTERS_MAX ? 'long amount' : 'amount'}">${inLocaleOf(cart, amount)}</p>
<dl>${[
    row(texts.soldBy, isolated(storeName)),
    row(texts.name, buyerName(cart.customerInfo)),
    row(texts.email, isolatedIfAny(email && maskEmail(email))),
    row(texts.phone, isolatedIfAny(phone && maskPhone(phone))),
  ]}${expiry(view)}</dl>
</section>`;
};

/** The status and the notice about the last action. */
const state = ({ cart: { latePayment }, status, texts, notice }: View): Markup => markup`
<div class="state" role="status">
<p class="pill ${status}">${texts.statuses[status].heading}</p>${latePayment && markup` <p class="pill late">${texts.late.heading}</p>`}
<p>${texts.statuses[status].text}${latePayment && ` ${texts.late.text}`}</p>
${notice && markup`<p class="notice">${texts.notices[notice]}</p>`}
</div>`;

const button = (action: Action, label: Markup | string): Markup =>
  markup`<button name="action" value="${action}">${label}</button>`;

const explained = (action: Action, { buttons, effects }: Texts): Markup => markup`
<li><button name="action" value="${action}" aria-describedby="${action}">${buttons[action]}</button>
<p id="${action}">${effects[action]}</p></li>`;

const MORE_ACTIONS = [
  'pay_late',
  'pay_twice',
  'out_of_order',
  'wrong_amount',
] as const satisfies readonly Action[];

/** The main buttons. An expired cart can be paid only by `MORE_ACTIONS`. */
const firstButtons = ({ cart, status, texts: { buttons }, amount }: View): Markup =>
  status === 'abandoned'
    ? button('leave', buttons.leave)
    : markup`
<button class="primary" name="action" value="pay">${buttons.pay} ${inLocaleOf(cart, amount)}</button>
<div class="row">${button('decline', buttons.decline)}${button('leave', buttons.leave)}</div>`;

/** Without an `action` attribute, browsers send the form to the page's own address, with any stage prefix. */
const payment = (view: View): Markup => {
  const { texts } = view;
  return markup`
<section aria-labelledby="payment">
<h2 id="payment">${texts.payment}</h2>${state(view)}
<form method="post">${firstButtons(view)}
<details><summary>${texts.more}</summary>
<ul>${MORE_ACTIONS.map((action) => explained(action, texts))}</ul>
</details>
</form>
</section>`;
};

const receipt = (view: View): Markup => {
  const { cart, texts, address } = view;
  return markup`
<section aria-labelledby="payment">
<h2 id="payment">${texts.receipt}</h2>${state(view)}
<dl>${row(texts.paidAt, time(cart.updatedAtMs, view))}${row(texts.paymentId, markup`<code>${cart.paymentId}</code>`)}</dl>
${address && markup`<p class="onward"><a class="button primary" href="${address}">${texts.toMerchant}</a></p>`}
</section>`;
};

export interface CheckoutPageOptions {
  readonly storeName: string;
  readonly nowMs: number;
  readonly notice: Notice | undefined;
}

/** The page of a cart at `nowMs`: product, store, buyer, and either the form or the receipt. */
export const checkoutPage = (cart: Cart, { storeName, nowMs, notice }: CheckoutPageOptions): Page => {
  const { lang } = cart.customerInfo;
  const language = languageOf(lang);
  const texts = TRANSLATIONS[language];
  const { status } = statusAt(cart, nowMs);
  const address = returnAddress(cart, status);
  const amount = formatPrice(cart.price, lang);
  // A receipt needs no notice.
  const shownNotice = status === 'completed' ? undefined : notice;
  const view: View = { cart, storeName, status, language, texts, amount, address, notice: shownNotice };
  return {
    language,
    heading: texts.statuses[status].heading,
    content: markup`${summary(view)}${status === 'completed' ? receipt(view) : payment(view)}`,
    footnote: markup`${texts.cart} <code>${cart.id}</code>`,
    formTargets: ["'self'", ...(address === undefined ? [] : [formTargetOf(address)])],
  };
};
