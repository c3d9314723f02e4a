import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { assertKeepsContract } from '../../support/contract.ts';
import { cartPath, CHECKOUT } from '../../support/http-client.ts';
import type { TestStage } from '../../support/stage.ts';
import type { Shop, WireRequest, WireResponse } from './program.ts';
import { openConnection } from './wire.ts';

/** Enough for all programs of a mode at once. */
const LIMITS = { limit: 1_000, windowSeconds: 60 };

/** @throws Error if the response violates the contract */
const checked = (
  { method = 'POST', target = CHECKOUT }: WireRequest,
  response: WireResponse,
): WireResponse => {
  if (response.bodyText !== '') assertKeepsContract(method, target, response);
  return response;
};

/** The shop of a new merchant's server, for one mode. Its products are those of the first demo store. */
export const givenShop = async (stage: TestStage, mode: Mode): Promise<Shop> => {
  const host = new URL(stage.baseUrl).host;
  const apiKey = await stage.givenKey({ mode, ...LIMITS });

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
    course: 'one-course',
    donation: 'one-donation',
    send,
    sendOnOneConnection,
    retrieve: (cartId, headers = {}) => send({ method: 'GET', target: cartPath(cartId), headers }),
    newKey: () => stage.givenKey({ mode }),

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
