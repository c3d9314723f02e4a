import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { REJECTION_NOTICES } from '../notices.ts';
import type { Headed } from '../texts/english.ts';
import { isolated, row } from './elements.ts';
import type { ShownCheckout } from './shown-checkout.ts';

/** The reason that the page tells in a sentence. */
const CARD_DECLINED = 'card_declined';

/** The buyer's next step where no button leads on. */
const nextStep = ({ status, leaveUrl, storeName, texts }: ShownCheckout): Markup => {
  if (status === 'abandoned') return markup` ${texts.startAgainAt} ${isolated(storeName)}.`;
  return status === 'completed' && leaveUrl === undefined ? markup` ${texts.canClose}` : markup``;
};

/** The last refund of the payment that completed a cart. */
export const lastRefund = ({ refunds, paymentId }: Cart): Refund | undefined =>
  refunds?.findLast((refund) => refund.paymentId === paymentId);

type Pill = readonly [className: string, headed: Headed];

/** The pills of a cart. The text of the last one is the latest news. */
export const pillsOf = ({
  cart,
  status,
  texts,
}: Pick<ShownCheckout, 'cart' | 'status' | 'texts'>): readonly Pill[] => {
  if (status === 'waiting_payment') return [];
  const pill: Pill = [status, texts.statuses[status]];
  if (status === 'payment_failed' && cart.failureReason === CARD_DECLINED)
    return [[status, { ...texts.statuses[status], text: texts.cardDeclined }]];
  if (status !== 'completed') return [pill];
  const isRefunded = lastRefund(cart) !== undefined;
  if (isRefunded && unitsLeft(cart, cart.paymentId) <= 0n) return [['refunded', texts.refunded]];
  return [
    pill,
    ...(cart.latePayment ? [['late', texts.late] as const] : []),
    ...(isRefunded ? [['refunded', texts.partlyRefunded] as const] : []),
  ];
};

/** The reason of a failed payment for which the page has no sentence. */
const reason = ({ cart: { failureReason }, status, texts }: ShownCheckout): Markup | undefined =>
  status === 'payment_failed' && failureReason !== undefined && failureReason !== CARD_DECLINED
    ? markup`<dl>${row(texts.reason, markup`<code>${failureReason}</code>`)}</dl>`
    : undefined;

/** The status and the notice about the last action. A new checkout has neither. */
export const stateSection = (shown: ShownCheckout): Markup | undefined => {
  const { texts, notice } = shown;
  const pills = pillsOf(shown);
  const news = pills.at(-1)?.[1].text;
  if (news === undefined && notice === undefined) return undefined;
  return markup`
<div class="state" role="status">
${pills.map(([className, { heading }]) => markup`<p class="pill ${className}">${heading}</p> `)}
${news !== undefined && markup`<p>${news}${nextStep(shown)}</p>`}${reason(shown)}
${notice && markup`<p class="${REJECTION_NOTICES.has(notice) ? 'rejected notice' : 'notice'}">${texts.notices[notice]}</p>`}
</div>`;
};
