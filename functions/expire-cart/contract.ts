import { retrievedCartSchema } from '../../lib/carts/cart-view-schema.ts';
import type { RetrievedCartView } from '../../lib/carts/cart-view.ts';
import { pathId } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';

const EXPIRED: RetrievedCartView = {
  id: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  createdAt: '2026-11-20T11:33:57.194Z',
  updatedAt: '2026-11-20T11:40:12.871Z',
  status: 'abandoned',
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  productDocumentId: 'one-course',
  productName: 'Course',
  meta: { orderId: 'A-1' },
  price: { amount: 49.9, currency: 'EUR' },
  expiresAt: '2026-11-20T11:40:12.871Z',
};

export const expireCart: OperationContract = {
  tag: 'Carts',
  summary: 'Ends a cart that waits for payment.',
  description:
    'Makes a cart in `waiting_payment` expire now. It becomes `abandoned`, and `cart.abandoned` is sent. A repetition has the same response. It stops no payment that is under way: such a payment still completes the cart. If several errors apply, the response is the first of 401, 429, 422, 404 and 409.',
  parameters: [pathId('cartId', 'Identifier of the cart', EXPIRED.id)],
  response: {
    status: 200,
    description: 'The cart, which is now `abandoned`',
    schema: retrievedCartSchema,
    examples: { expired: { summary: 'Ended before its payment', value: EXPIRED } },
  },
  errors: ['cartNotFound', 'cartCompleted', 'cartPaymentFailed'],
};
