import { COUNTER_ATTRIBUTES } from '../../../lib/events/event-counter.ts';
import { CART_ID, writeEvent, writeEventsExcept } from './denied.ts';
import { type HttpFunctionRow, on } from './row-types.ts';

/** The function of the payment page of test mode. A payment is not the first action of its cart. */
export const SANDBOX_FUNCTIONS = {
  'sandbox-checkout': {
    load: async () => {
      const { sandboxCheckoutFunction } = await import('../../../functions/sandbox-checkout/handler.ts');
      return ({ carts, testPayments, abandonments, ...dependencies }) =>
        sandboxCheckoutFunction({
          ...dependencies,
          carts: carts.test,
          paymentRecords: testPayments,
          abandonments: abandonments.test,
        });
    },
    warmUp: { connections: 1, calls: ['GetItem test-carts'] },
    denied: [
      ['read a live cart', on('carts', 'GetItem', CART_ID)],
      ['update the claim of a payment', on('testCarts', 'UpdateItem', 'payment#1')],
      ['write a test event about an endpoint', writeEvent('endpoint', 'test#shop')],
      ['move the counter of a live log', on('events', 'UpdateItem', 'live#shop', COUNTER_ATTRIBUTES)],
      ...writeEventsExcept(),
    ],
  },
} as const satisfies Readonly<Record<string, HttpFunctionRow>>;
