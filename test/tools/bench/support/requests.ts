/** A request of a benchmark, as it goes over the wire. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CART_BODY = JSON.stringify({
  productDocumentId: 'one-course',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+44 20 7946 0000',
  redirectURL: 'https://shop.example.com/thanks?cart={CART_ID}',
  meta: { orderId: '4711', campaign: 'autumn' },
});

/** Creates a cart of the first demo store's fixed-price product. */
export const createRequest = (apiKey: string): BenchRequest => ({
  method: 'POST',
  path: '/api/v1/stores/cart/checkout',
  headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
  body: CART_BODY,
});

export const retrieveRequest = (apiKey: string, cartId: string): BenchRequest => ({
  method: 'GET',
  path: `/api/v1/stores/cart/${cartId}`,
  headers: { Authorization: `Bearer ${apiKey}` },
});
