import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import { type RunningGateway, startGateway } from '../../../infra/local/gateway/gateway.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { assertKeepsContract } from '../../support/contract/contract.ts';
import { cartPath, CHECKOUT } from '../../support/service/http-client.ts';
import type { TestService } from '../../support/service/service.ts';
import type { Shop, WireRequest, WireResponse } from './program.ts';
import { openConnection } from './wire.ts';

/** Enough for all programs of a mode at once. */
const LIMIT = 1_000;

/** Serves a service of this process by the local stage's gateway. Requests have the time of the service's clock. */
export const serve = ({ handlerOf, clock }: TestService): Promise<RunningGateway> => {
  const handlers = HTTP_FUNCTION_NAMES.map((name): [string, ProxyFunction] => [
    name,
    async (event, context) => {
      event.requestContext.requestTimeEpoch = clock.now();
      return handlerOf(name)(event, context);
    },
  ]);
  return startGateway({ routes: ALL_OPERATIONS, handlers: Object.fromEntries(handlers), port: 0 });
};

/** Returns a response that keeps the contract. Throws an Error if it violates the contract. */
const checked = (
  { method = 'POST', target = CHECKOUT }: WireRequest,
  response: WireResponse,
): WireResponse => {
  if (response.bodyText !== '') assertKeepsContract(method, target, response);
  return response;
};

/** The shop of a merchant's server with a key of one mode. */
export const givenShop = async (
  service: TestService,
  { baseUrl }: RunningGateway,
  mode: Mode,
): Promise<Shop> => {
  const { host } = new URL(baseUrl);
  const apiKey = await service.givenKey({ mode, limit: LIMIT });

  const sendOnOneConnection: Shop['sendOnOneConnection'] = async (requests) => {
    const connection = await openConnection({ host, apiKey });
    const responses: WireResponse[] = [];
    for (const request of requests) responses.push(checked(request, await connection.exchange(request)));
    connection.close();
    return responses;
  };
  const send: Shop['send'] = async (request) => (await sendOnOneConnection([request]))[0] as WireResponse;

  return {
    host,
    apiKey,
    course: await service.givenProduct({ pricing: { type: 'fixed', amount: 49.9 } }),
    donation: await service.givenProduct({ pricing: { type: 'free', minimum: 1, suggested: 5 } }),
    foreignProduct: await service.givenProduct({ storeId: 'store-2' }),
    send,
    sendOnOneConnection,
    retrieve: (cartId, headers = {}) => send({ method: 'GET', target: cartPath(cartId), headers }),
    newKey: () => service.givenKey({ mode }),

    async atCheckout({ body }, action) {
      const checkout = new URL(body.redirectUrl);
      const { headers } = await send({
        target: checkout.pathname,
        headers: { Authorization: undefined, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `action=${action}`,
      });
      return new URL(headers['location'] ?? '', checkout);
    },
  };
};
