import { CartCheckout, WebhookVerificationError } from 'cart-checkout-client';
import type { Clock } from '../../../lib/core/clock.ts';
import type { SecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import type { Route } from '../gateway/routes.ts';

const PATH = '/receiver';

/** The route of the built-in receiver. Only the local stage has it. */
export const RECEIVER_ROUTE = {
  method: 'POST',
  path: `${PATH}/{endpointId}`,
  functionName: 'built-in-receiver',
  caller: 'platform',
} as const satisfies Route;

/** The path at which the receiver takes the deliveries of an endpoint. */
export const receiverPath = (endpointId: string): string => `${PATH}/${endpointId}`;

/** The receiver looks up nothing but secrets of endpoints. */
const ENDPOINT_ID = /^we_\w{1,60}$/;

const reply = (statusCode: number, body: string) => ({
  statusCode,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
});

/**
 * Receives webhooks as a merchant's server does: it verifies the signature with the client for merchants. The record of the
 * delivery keeps its response. It stores nothing.
 */
export const createReceiver =
  (secrets: Pick<SecretRepository, 'find'>, now: Clock): ProxyFunction =>
  async ({ pathParameters, headers, body }) => {
    const endpointId = pathParameters?.['endpointId'] ?? '';
    const stored = ENDPOINT_ID.test(endpointId) ? await secrets.find(endpointId) : undefined;
    if (!stored) return reply(404, 'There is no such endpoint.');
    try {
      CartCheckout.verifyWebhook(stored.secret, headers, body ?? '', { nowSeconds: now() / 1_000 });
      return reply(200, 'The signature verifies.');
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply(400, `The signature does not verify: ${error.message}.`);
    }
  };
