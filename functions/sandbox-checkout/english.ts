import type { CartStatus } from '../../lib/carts/cart.ts';
import type { ApiErrorKind } from '../../lib/http/errors.ts';
import type { Action, TestControl } from './actions.ts';
import type { Notice } from './notices.ts';

interface Headed {
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
  refunded: 'Refunded',
  openUntil: 'Open until',
  expiredAt: 'Expired on',
  late: {
    heading: 'Late',
    text: 'It arrived after this checkout had expired. Ask the store if it still accepts your order.',
  },
  controls: {
    heading: 'Test controls',
    text: 'Choose another outcome here. Only test mode has this panel: your buyers never see it.',
  },
  /** Before the merchant's name. */
  backTo: 'Back to',
  /** Before the merchant's name and a full stop. */
  startAgainAt: 'Start again at',
  canClose: 'You can close this page.',
  toCheckout: 'Back to the checkout',
  statuses: {
    waiting_payment: { heading: 'Waiting for payment', text: 'Check the details, then pay.' },
    payment_failed: {
      heading: 'Payment failed',
      text: 'Your payment was declined, and you were not charged. You can try again.',
    },
    abandoned: { heading: 'Expired', text: 'This checkout has expired.' },
    completed: { heading: 'Paid', text: 'Thank you. Your payment succeeded.' },
  } satisfies Record<CartStatus, Headed>,
  buttons: {
    pay: 'Pay',
    leave: 'Leave without paying',
    decline: 'Decline',
    expire: 'Expire now',
    pay_late: 'Pay late',
    pay_twice: 'Pay twice',
    out_of_order: 'Events out of order',
    wrong_amount: 'Wrong amount',
    refund: 'Refund',
  } satisfies Record<Action, string>,
  /** The effect of each control, in one or two sentences. */
  effects: {
    decline: 'The payment fails now. The buyer can try again.',
    expire: 'The cart expires now and is abandoned. A payment after that is late.',
    pay_late:
      'The payment succeeds one minute after the expiry. The cart is marked late unless a payment failed before.',
    pay_twice: 'Two payments succeed. The first one completes the cart.',
    out_of_order:
      'A success arrives, then a failure that happened one second earlier. The cart stays completed.',
    wrong_amount:
      'The amount is too high by the currency’s smallest unit. The payment is rejected and the cart stays as it is.',
    refund: 'A payment is refunded in full, a duplicate payment first. The cart stays completed.',
  } satisfies Record<TestControl, string>,
  notices: {
    wrong_amount: 'The payment was rejected because its amount differs from the total.',
    too_many_payments: 'The payment was rejected because this checkout has had too many payments.',
    has_payment: 'This checkout did not expire, because it already has a payment.',
    nothing_to_refund:
      'Nothing was refunded. No payment is left to refund, or this checkout has had too many refunds.',
    left: 'You left without paying, and you were not charged. You can close this page.',
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
      heading: 'Not accepted',
      text: 'Another site made this choice, and nothing has changed. Open the checkout and choose there.',
    },
    rateLimited: {
      heading: 'Too many choices',
      text: 'This checkout got too many choices in a minute. Your last choice changed nothing. Wait a moment, then choose again.',
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
