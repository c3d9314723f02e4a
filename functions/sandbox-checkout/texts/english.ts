import type { CartStatus } from '../../../lib/carts/cart.ts';
import type { ApiErrorKind } from '../../../lib/http/errors.ts';
import type { CardAction, TestControl } from '../actions.ts';
import type { Notice } from '../notices.ts';

/** A pill with this heading, and a sentence about it. */
export interface Headed {
  readonly heading: string;
  readonly text: string;
}

/** The English texts. All are plain text without placeholders. */
export const ENGLISH = {
  title: 'Test checkout',
  testMode: 'Test mode:',
  noMoneyMoves: 'no money moves.',
  soldBy: 'Sold by',
  total: 'Total',
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  /** Before the cart's id. */
  reference: 'Reference',
  stage: 'Stage',
  mode: 'Mode',
  testCartsOnly: 'test carts only',
  payment: 'Payment',
  receipt: 'Receipt',
  paymentId: 'Payment reference',
  paidAt: 'Paid on',
  refund: 'Refund',
  refundedAt: 'Refunded on',
  openUntil: 'Pay by',
  expiredAt: 'Expired on',
  /** Before the code of a failed payment. */
  reason: 'Reason',
  testCard: 'Test card',
  /** The effect of a payment with each test card. */
  cards: {
    pay: 'The payment succeeds',
    decline: 'The card is declined',
  } satisfies Record<CardAction, string>,
  /** The button to pay, from the click until the next page. */
  paying: 'Paying…',
  cardDeclined: 'Your card was declined, and you were not charged. Try again, or use another card.',
  late: {
    heading: 'Late',
    text: 'Your payment arrived after the deadline. Ask the store if it still accepts your order.',
  },
  refunded: { heading: 'Refunded', text: 'Your payment was refunded in full.' },
  partlyRefunded: { heading: 'Partly refunded', text: 'Part of your payment was refunded.' },
  controls: {
    heading: 'Test scenarios',
    beforePayment: 'Simulate another outcome.',
    afterPayment: 'Simulate what can follow a payment.',
    hidden: 'Your buyers never see this panel.',
  },
  /** Before the merchant's name. */
  backTo: 'Back to',
  /** Before the merchant's name and a full stop. */
  startAgainAt: 'Start again at',
  canClose: 'You can close this page.',
  toCheckout: 'Back to the checkout',
  statuses: {
    payment_failed: {
      heading: 'Payment failed',
      text: 'Your payment was declined, and you were not charged. You can try again.',
    },
    abandoned: { heading: 'Expired', text: 'This checkout has expired.' },
    completed: { heading: 'Paid', text: 'Thank you. Your payment was successful.' },
  } satisfies Record<Exclude<CartStatus, 'waiting_payment'>, Headed>,
  buttons: {
    pay: 'Pay',
    expire: 'Expire now',
    pay_late: 'Pay late',
    pay_twice: 'Pay twice',
    out_of_order: 'Events out of order',
    wrong_amount: 'Wrong amount',
    refund: 'Refund',
  } satisfies Record<TestControl | 'pay', string>,
  /** The effect of each control, in one or two sentences. */
  effects: {
    expire: 'The cart expires now and is abandoned. A payment after that is late.',
    pay_late:
      'The payment succeeds one minute after the deadline. It is late, unless another payment failed before.',
    pay_twice: 'Two payments succeed. The first one completes the cart.',
    out_of_order:
      'A success arrives, then a failure that happened one second earlier. The cart stays completed.',
    wrong_amount: 'The payment is slightly too high, and is rejected. The cart stays as it is.',
    refund: 'A payment is refunded in full, a duplicate payment first. The cart stays completed.',
  } satisfies Record<TestControl, string>,
  notices: {
    wrong_amount: 'The payment was rejected because its amount differs from the total.',
    too_many_payments: 'The payment was rejected because this checkout had too many payments.',
    has_payment: 'This checkout did not expire, because a payment was already tried.',
    nothing_to_refund:
      'Nothing was refunded. No payment is left to refund, or this checkout had too many refunds.',
    left: 'You have not paid. You can close this page.',
  } satisfies Record<Notice, string>,
  /** The texts of the errors that have a page. */
  errors: {
    cartNotFound: {
      heading: 'Checkout not found',
      text: 'Check the address, or start again at the store.',
    },
    invalidPayload: {
      heading: 'Please choose again',
      text: 'Your choice was not understood, and nothing has changed. Open the checkout and choose there.',
    },
    forbidden: {
      heading: 'Blocked',
      text: 'The form came from another site, and nothing has changed. Open the checkout and choose there.',
    },
    rateLimited: {
      heading: 'Too many attempts',
      text: 'This checkout had too many attempts in a minute. The last one changed nothing. Wait a moment, then try again.',
    },
    serviceUnavailable: {
      heading: 'Please try again',
      text: 'This page is temporarily unavailable. Please try again in a moment.',
    },
    internal: {
      heading: 'Something went wrong',
      text: 'Please try again later. The checkout shows whether you have paid.',
    },
  } satisfies Partial<Record<ApiErrorKind, Headed>>,
  /** The causes of errors, below their pages. */
  developers: {
    heading: 'For developers',
    cartNotFound: {
      address: 'There is no test cart at this address. The address must be the cart’s whole redirectUrl.',
      place:
        'This page shows the test carts of one stage. Live carts and those of other stages have other addresses.',
      deleted: 'An unpaid test cart is deleted 30 days after it expires. Create a new one.',
    },
    invalidPayload: { action: 'The form must have exactly one known action.' },
  },
};

/** The texts of the pages in one language. */
export type Texts = Readonly<typeof ENGLISH>;
