import type { RetrievedCartView } from '../../lib/carts/cart-view.ts';
import type { Json } from './json-schema.ts';

const CART_ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

const BUYER = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' } as const;

const CREATED_CART = {
  id: CART_ID,
  createdAt: '2026-11-20T11:33:57.194Z',
  updatedAt: '2026-11-20T11:33:57.194Z',
  status: 'waiting_payment',
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
} as const;

const RETRIEVED_CART: RetrievedCartView = {
  ...CREATED_CART,
  meta: { orderId: 'A-1' },
  price: { amount: 49.9, currency: 'EUR' },
  expiresAt: '2026-11-21T11:33:57.194Z',
};

/** Requests that the demo store of the local stage takes as they are. */
export const REQUEST_EXAMPLES: Json = {
  fixedPrice: {
    summary: 'A product with a fixed price',
    value: { productDocumentId: 'one-course', ...BUYER },
  },
  freePricing: {
    summary: 'A product configured with free pricing, and every field',
    value: {
      productDocumentId: 'one-donation',
      ...BUYER,
      phone: '+1 555 0100',
      redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
      meta: { orderId: 'A-1' },
      customerPrice: 12.5,
    },
  },
};

export const CREATED_EXAMPLES: Json = {
  created: {
    summary: 'A cart that waits for its payment',
    value: { cart: CREATED_CART, redirectUrl: `https://checkout.example.com/${CART_ID}` },
  },
};

export const RETRIEVED_EXAMPLES: Json = {
  waiting: { summary: 'Nobody has paid yet', value: RETRIEVED_CART },
  completed: {
    summary: 'Paid, after the cart had expired',
    value: {
      ...RETRIEVED_CART,
      status: 'completed',
      updatedAt: '2026-11-22T08:15:00.000Z',
      paymentId: '9b2f6f0e-5d1c-4d39-8a51-0f6f1f6f0c11',
      latePayment: true,
    } satisfies RetrievedCartView,
  },
};

/** What is wrong with a request whose e-mail address is none. */
export const DETAILS_EXAMPLE = [{ path: 'email', message: 'Must be an e-mail address' }];
