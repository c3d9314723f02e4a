import type { CartStatus } from '../carts/cart.ts';
import type { ApiErrorKind } from '../http/errors.ts';
import type { Action } from './actions.ts';
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
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  cart: 'Cart',
  payment: 'Payment',
  receipt: 'Receipt',
  paymentId: 'Payment id',
  paidAt: 'Paid on',
  openUntil: 'Open until',
  expiredAt: 'Expired on',
  late: {
    heading: 'Late',
    text: 'The payment came after the checkout had expired, so the cart is marked late.',
  },
  more: 'More ways to end the payment',
  toMerchant: 'Back to the merchant',
  toCheckout: 'Back to the checkout',
  statuses: {
    waiting_payment: { heading: 'Waiting for payment', text: 'Choose how the payment ends.' },
    payment_failed: {
      heading: 'Payment failed',
      text: 'The payment was declined and nothing was charged. You can try again.',
    },
    abandoned: { heading: 'Expired', text: 'Nobody paid in time. A payment that arrives now is late.' },
    completed: { heading: 'Paid', text: 'This payment completed the cart.' },
  } satisfies Record<CartStatus, Headed>,
  buttons: {
    pay: 'Pay',
    decline: 'Decline',
    leave: 'Walk away',
    pay_late: 'Pay late',
    pay_twice: 'Pay twice',
    out_of_order: 'Events out of order',
    wrong_amount: 'Wrong amount',
  } satisfies Record<Action, string>,
  /** The effect of each action, in one sentence. */
  effects: {
    pay: 'The payment succeeds now.',
    decline: 'The payment fails now.',
    leave: 'Nothing is recorded.',
    pay_late:
      'The payment succeeds one minute after the expiry. A cart that was still waiting is marked late.',
    pay_twice: 'Two payments succeed. The first one completes the cart.',
    out_of_order:
      'A success arrives, then a failure that happened one second earlier. The cart stays completed.',
    wrong_amount:
      'The amount is too high by the currency’s smallest unit. The payment is rejected and the cart stays as it is.',
  } satisfies Record<Action, string>,
  notices: {
    wrong_amount:
      'The payment was rejected because its amount is not the cart’s. A real event would have become a dead letter.',
    too_many_payments: 'The payment was rejected because this cart has had too many payments.',
    left: 'You walked away and nothing was recorded. The merchant gave no address to send you back to.',
  } satisfies Record<Notice, string>,
  /** The texts of the errors that have a page. */
  errors: {
    cartNotFound: { heading: 'No such checkout', text: 'There is no test checkout at this address.' },
    invalidPayload: {
      heading: 'Not understood',
      text: 'The form must have exactly one known action. Nothing was recorded.',
    },
    forbidden: {
      heading: 'Not accepted',
      text: 'Another site sent this form. Nothing was recorded. Open the checkout and choose there.',
    },
    serviceUnavailable: {
      heading: 'Please try again',
      text: 'The service is temporarily unavailable. Please try again in a moment.',
    },
    internal: {
      heading: 'Something went wrong',
      text: 'An internal error occurred. Please try again later.',
    },
  } satisfies Partial<Record<ApiErrorKind, Headed>>,
};

/** The texts of the pages in one language. */
export type Texts = Readonly<typeof ENGLISH>;
