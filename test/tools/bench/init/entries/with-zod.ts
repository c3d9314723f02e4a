export { createCartRequestSchema } from '../../../../../lib/carts/create-cart-request.ts';
export { documents } from './document-client.ts';
