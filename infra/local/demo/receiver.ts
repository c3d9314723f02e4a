import { CartCheckout, WebhookVerificationError } from 'cart-checkout-client';
import type { Clock } from '../../../lib/core/clock.ts';
import type { WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import type { SecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { CART_EVENT_TYPES } from '../../../lib/events/event-types.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import type { StageTables } from '../database/local-tables.ts';
import type { Route } from '../gateway/router.ts';
import { endpointRepositories } from './endpoint-repositories.ts';

const PATH = '/receiver';

/** The route of the built-in receiver. Only the local stage has it. */
export const RECEIVER_ROUTE = {
  method: 'POST',
  path: `${PATH}/{endpointId}`,
  functionName: 'built-in-receiver',
  caller: 'stage',
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

/** The endpoints of the built-in receiver, by the store. Their ids are fixed: the stage finds them after a restart. */
const BUILT_IN_IDS = DEMO_STORES.map(
  ({ id }, index) => [id, `we_BuiltInReceiver${String(index + 1).padStart(9, '0')}`] as const,
);

/** Whether the built-in receiver gets the webhooks of an endpoint. A merchant can change the address of its endpoint. */
export const isBuiltIn = ({ endpointId, url }: Pick<WebhookEndpoint, 'endpointId' | 'url'>): boolean =>
  BUILT_IN_IDS.some(([, id]) => id === endpointId) && URL.parse(url)?.pathname === receiverPath(endpointId);

/**
 * Registers the built-in receiver for the carts' events of each demo store, and corrects its address after a change of the
 * port. An endpoint that the user disabled or deleted stays so.
 *
 * @param creates whether to register it if it is missing
 */
export const ensureReceiver = async (
  baseUrl: string,
  creates: boolean,
  tables: StageTables,
): Promise<void> => {
  const { endpoints, endpointChanges, now } = endpointRepositories(tables);
  const ensure = async ([storeId, endpointId]: (typeof BUILT_IN_IDS)[number]): Promise<void> => {
    const url = baseUrl + receiverPath(endpointId);
    const ref = { storeId, mode: 'test', endpointId } as const;
    const existing = await endpoints.find(ref);
    if (existing && existing.url !== url) await endpointChanges.update(existing, { url });
    if (existing || !creates) return;
    await endpointChanges.create({
      ...ref,
      url,
      eventTypes: CART_EVENT_TYPES,
      label: 'built-in receiver',
      createdAtMs: now(),
      // The id of a deleted endpoint with a fingerprint is not used again.
      requestFingerprint: 'built-in receiver',
    });
  };
  await Promise.all(BUILT_IN_IDS.map(ensure));
};
