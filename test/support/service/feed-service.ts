import { listEvents } from '../../../functions/list-events/handler.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { manualClock } from '../clock.ts';
import { givenDatabase } from '../database/database.ts';
import { payment, waitingCart } from '../domain/payments.ts';
import { createDependencies } from '../functions/dependencies.ts';
import { givenGateway } from '../http/gateway-client.ts';
import { composeService } from './service.ts';

/**
 * The service in this process, with the feed of a store at an address. It ends with the test.
 *
 * @param pageMax the most events of a page, however many the reader wants
 */
export const givenFeed = async ({ pageMax }: { readonly pageMax?: number } = {}) => {
  const database = await givenDatabase();
  const service = composeService(database);
  // The gateway has the time of this machine.
  const dependencies = createDependencies(database, manualClock(Date.now()));
  const handler = listEvents(dependencies);
  const withShortPages: ProxyFunction = (event, context) => {
    const query = { ...event.multiValueQueryStringParameters, limit: [String(pageMax)] };
    return handler({ ...event, multiValueQueryStringParameters: query }, context);
  };
  const { baseUrl } = await givenGateway({ 'list-events': pageMax === undefined ? handler : withShortPages });
  const repositories = { carts: service.carts.test, paymentRecords: dependencies.testPayments };
  return {
    baseUrl,
    apiKey: await service.givenKey(),
    /** Creates carts and lets each be paid. Returns their ids, in the order of the events. */
    completeCarts: async (count: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const { cart } = await service.carts.test.create(
          // Its deletion time is long past for the gateway's clock.
          waitingCart({ mode: 'test', deleteAtSeconds: undefined }),
        );
        await recordPaymentEvent({ cartId: cart.id, mode: 'test', payment: payment() }, repositories);
        ids.push(cart.id);
      }
      return ids;
    },
  };
};
