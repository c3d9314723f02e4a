import type { CartEventType } from '../events/event-types.ts';
import { eventIdFrom } from '../events/logged-event.ts';
import type { CartEvent, CartEventData } from './cart-event.ts';
import type { RefundView, RetrievedCartView } from './cart-view.ts';

// The contract shows these events, and test events have their data.

const CART: RetrievedCartView = {
  id: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  createdAt: '2026-11-20T14:28:57.194Z',
  updatedAt: '2026-11-20T14:31:10.246Z',
  status: 'completed',
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  meta: { orderId: 'A-1' },
  productDocumentId: 'one-course',
  productName: 'Course',
  price: { amount: 49.9, currency: 'EUR' },
  expiresAt: '2026-11-21T14:28:57.194Z',
  paymentId: '1e11445b-1d3a-4dd1-8c4a-88f1fce6c8dd',
  completedAt: '2026-11-20T14:31:10.246Z',
};

const UNPAID: RetrievedCartView = {
  ...CART,
  status: 'abandoned',
  updatedAt: '2026-11-21T14:28:57.194Z',
  paymentId: undefined,
  completedAt: undefined,
};

const REFUND: RefundView = {
  id: 'refund-1001',
  paymentId: '1e11445b-1d3a-4dd1-8c4a-88f1fce6c8dd',
  amount: 20,
  currency: 'EUR',
  refundedAt: '2026-11-23T09:12:40.000Z',
};

const exampleOf = (type: CartEventType, timestamp: string, data: CartEventData): CartEvent => {
  // As in a response, fields without a value are absent.
  return JSON.parse(JSON.stringify({ id: eventIdFrom(type), type, timestamp, data })) as CartEvent;
};

/** An event of each type. */
export const CART_EVENT_EXAMPLES: Readonly<Record<CartEventType, CartEvent>> = {
  'cart.completed': exampleOf('cart.completed', '2026-11-20T14:31:10.412Z', CART),
  'cart.payment_failed': exampleOf('cart.payment_failed', '2026-11-20T14:31:10.412Z', {
    ...CART,
    status: 'payment_failed',
    completedAt: undefined,
    failureReason: 'card_declined',
  }),
  'cart.abandoned': exampleOf('cart.abandoned', '2026-11-21T14:29:30.021Z', UNPAID),
  'cart.duplicate_payment': exampleOf('cart.duplicate_payment', '2026-11-20T14:31:12.518Z', {
    ...CART,
    duplicatePaymentId: '9b2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
  }),
  'cart.refunded': exampleOf('cart.refunded', '2026-11-23T09:12:44.305Z', {
    ...CART,
    refunds: [REFUND],
    refundedAmount: 20,
    refund: REFUND,
  }),
};
