import { randomUUID } from 'node:crypto';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createPaymentSide } from '../../../support/payment-side.ts';
import type { LocalStage } from '../http/stage.ts';
import { submitSandbox } from '../webhooks/shops.ts';

/**
 * Creates the function that lets a payment of a cart fail. For a test cart, it uses the sandbox page. For a live one, it sends an
 * event on the bus. It returns the status of the response.
 */
export const createDecline = ({
  baseUrl,
  dynamodbEndpoint,
}: LocalStage): ((cart: Cart) => Promise<number>) => {
  const report = createPaymentSide(dynamodbEndpoint);
  return async (cart) => {
    if (cart.mode === 'test') return submitSandbox(baseUrl, cart.id, 'decline');
    const ids = { eventId: randomUUID(), paymentId: randomUUID() };
    await report([[cart, { ...ids, ...cart.price, result: 'failed', occurredAtMs: Date.now() }]]);
    return 200;
  };
};
