import { createCartCheckout } from '../../../functions/create-cart-checkout/handler.ts';
import { expireCart } from '../../../functions/expire-cart/handler.ts';
import { getCartFunction } from '../../../functions/get-cart/handler.ts';
import { listEvents } from '../../../functions/list-events/handler.ts';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import { productsFunction } from '../../../functions/products/handler.ts';
import { startGateway } from '../../../infra/local/gateway/gateway.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { manualClock } from '../../support/clock.ts';
import { countItems } from '../../support/database/count-items.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { payment, waitingCart } from '../../support/domain/payments.ts';
import { createDependencies } from '../../support/functions/dependencies.ts';
import { composeService } from '../../support/service/service.ts';

/** Starts the API in this process, on tables of its own and at an address. */
export const startApi = async () => {
  const database = await givenDatabase();
  const { carts, givenKey, givenProduct } = composeService(database);
  // The gateway has the time of this machine.
  const dependencies = createDependencies(database, manualClock(Date.now()));
  const handlers = {
    'create-cart-checkout': createCartCheckout(dependencies),
    'get-cart': getCartFunction(dependencies),
    'expire-cart': expireCart(dependencies),
    'list-events': listEvents(dependencies),
    products: productsFunction(dependencies),
  };
  const { baseUrl, close } = await startGateway({ routes: ALL_OPERATIONS, handlers, port: 0 });
  return {
    baseUrl,
    close,
    givenKey,
    givenProduct,
    productId: await givenProduct(),
    countCarts: () => countItems(database.documents, database.tableNames.testCarts),
    /** Creates a cart of a store and lets it be paid. Returns its id. */
    completeCart: async (storeId: string): Promise<string> => {
      // Its deletion time is long past for the gateway's clock.
      const waiting = waitingCart({ mode: 'test', storeId, deleteAtSeconds: undefined });
      const { cart } = await carts.test.create(waiting);
      const repositories = { carts: carts.test, paymentRecords: dependencies.testPayments };
      await recordPaymentEvent({ cartId: cart.id, mode: 'test', payment: payment() }, repositories);
      return cart.id;
    },
  };
};
