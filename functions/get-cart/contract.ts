import { retrievedCartSchema } from '../../lib/carts/cart-view-schema.ts';
import type { RetrievedCartView } from '../../lib/carts/cart-view.ts';
import { etag, ifNoneMatch, pathId } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';

const WAITING: RetrievedCartView = {
  id: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  createdAt: '2026-11-20T11:33:57.194Z',
  updatedAt: '2026-11-20T11:33:57.194Z',
  status: 'waiting_payment',
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  meta: { orderId: 'A-1' },
  productDocumentId: 'one-course',
  productName: 'Course',
  price: { amount: 49.9, currency: 'EUR' },
  expiresAt: '2026-11-21T11:33:57.194Z',
};

export const getCart: OperationContract = {
  tag: 'Carts',
  summary: 'Retrieves an existing cart to check its status.',
  description:
    'Retrieves a cart of your store. A new cart is available at once. An unknown cart and a cart of another store or mode return the same 404. If several errors apply, the response is the first of 401, 429, 422 and 404.',
  parameters: [pathId('cartId', 'Identifier of the cart', WAITING.id), ifNoneMatch('cart')],
  response: {
    status: 200,
    description: 'The cart with its current status',
    schema: retrievedCartSchema,
    examples: {
      waiting: {
        summary: 'Not paid yet',
        value: {
          ...WAITING,
          redirectUrl: `https://checkout.example.com/${WAITING.id}`,
        } satisfies RetrievedCartView,
      },
      completed: {
        summary: 'Paid when the cart was `abandoned`',
        value: {
          ...WAITING,
          status: 'completed',
          updatedAt: '2026-11-22T08:15:00.000Z',
          paymentId: '9b2f6f0e-5d1c-4d39-8a51-0f6f1f6f0c11',
          latePayment: true,
          completedAt: '2026-11-22T08:15:00.000Z',
        } satisfies RetrievedCartView,
      },
    },
    headers: etag('the cart, also when the cart becomes `abandoned`'),
  },
  notModified: 'The cart has not changed since the response whose `ETag` the request names',
  errors: ['cartNotFound'],
};
