import type { Documents } from '../../lib/core/documents.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { resolveHost } from '../../lib/webhooks/addresses.ts';
import { createEndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import { checkEndpointHost, parseEndpointUrl } from '../../lib/webhooks/endpoint-url.ts';
import { ENDPOINTS_MAX, generateEndpointId } from '../../lib/webhooks/endpoint.ts';
import { createSecretStore } from '../../lib/webhooks/secret-store.ts';
import { OperatorError } from '../operator-error.ts';
import type { TableKind } from '../tables.ts';
import { DEMO_STORES } from './demo-stores.ts';

/** A webhook endpoint of a demo store. Its secret verifies the signatures of its deliveries. */
export interface DemoWebhook {
  readonly storeId: string;
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * Checks the address of `--webhook`: https to a public host, or http to this machine.
 *
 * @returns the address in its normal form
 * @throws OperatorError if the address is not allowed
 */
const checkAddress = async (text: string): Promise<string> => {
  const parsed = parseEndpointUrl(text, { allowsLoopback: true });
  const reason = parsed.ok ? await checkEndpointHost(parsed.url, resolveHost) : parsed.reason;
  if (!parsed.ok || reason !== undefined)
    throw new OperatorError(`The address of --webhook cannot be used. ${reason}`);
  return parsed.url;
};

/**
 * Registers an address for the test events of the demo stores. The same address again keeps its endpoints and secrets.
 *
 * @throws OperatorError if the address is not allowed, or if a store has too many endpoints
 */
export const ensureDemoWebhooks = async (
  address: string,
  documents: Documents,
  tableNames: Readonly<Record<TableKind, string>>,
  now: Clock,
): Promise<readonly DemoWebhook[]> => {
  const url = await checkAddress(address);
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const secrets = createSecretStore(documents, tableNames, now);

  const ensure = async (storeId: string): Promise<DemoWebhook> => {
    const log = { storeId, mode: 'test' } as const;
    const existing = (await endpoints.listOf(log)).find((endpoint) => endpoint.url === url);
    const stored = existing && (await secrets.find(existing.endpointId));
    if (existing && stored) {
      if (existing.disabled) await endpoints.update(existing, { disabled: null });
      return { storeId, id: existing.endpointId, url, secret: stored.secret };
    }
    const endpointId = generateEndpointId();
    // An endpoint without a secret would lose its first deliveries.
    const secret = await secrets.create(endpointId);
    const endpoint = { ...log, endpointId, url, label: 'npm start -- --webhook', createdAtMs: now() };
    if (await endpoints.create(endpoint)) return { storeId, id: endpointId, url, secret };
    await secrets.remove(endpointId);
    throw new OperatorError(
      `The store ${storeId} has ${ENDPOINTS_MAX} test endpoints, the most that it may have: remove one with \`npm run operate -- webhooks remove\`.`,
    );
  };
  return Promise.all(DEMO_STORES.map(({ id }) => ensure(id)));
};
