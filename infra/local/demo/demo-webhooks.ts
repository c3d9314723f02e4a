import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { checkEndpointHost, parseEndpointUrl } from '../../../lib/endpoints/endpoint-url.ts';
import { ENDPOINTS_MAX, generateEndpointId, type WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import { resolveHost } from '../../../lib/endpoints/ip-addresses.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import { CART_EVENT_TYPES } from '../../../lib/events/event-types.ts';
import type { LogId } from '../../../lib/events/logged-event.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { typedCommand } from '../../terminal/typed-command.ts';
import type { StageTables } from '../database/local-database.ts';
import { receiverPath } from './receiver.ts';

/** A webhook endpoint of a demo store. Its secret verifies the signatures of its deliveries. */
export interface DemoWebhook {
  readonly storeId: string;
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

const repositoriesOf = ({ documents, tableNames, now }: StageTables) => ({
  endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
  secrets: createSecretRepository(documents, tableNames.secrets),
  endpointChanges: createEndpointChanges(documents, tableNames, {
    log: createEventLog(documents, tableNames.events, { now }),
    now,
  }),
  now,
});

/**
 * Checks the address of `--webhook`: https to a public host, or http to this machine.
 *
 * @returns the address in its normal form
 * @throws OperatorError if the address is not allowed
 */
const checkAddress = async (text: string, publicUrl: string): Promise<string> => {
  const parsed = parseEndpointUrl(text, { allowsLoopback: true, publicUrl });
  const reason = parsed.ok ? await checkEndpointHost(parsed.url, resolveHost) : parsed.reason;
  if (!parsed.ok || reason !== undefined)
    throw new OperatorError(`The address of --webhook cannot be used. ${reason}.`);
  return parsed.url;
};

/** Finds the endpoint with an address and enables it, or creates it. */
const ensureEndpoint = async (
  log: LogId,
  url: string,
  { endpoints, secrets, endpointChanges, now }: ReturnType<typeof repositoriesOf>,
): Promise<DemoWebhook> => {
  const { storeId } = log;
  const existing = (await endpoints.listOf(log)).find((endpoint) => endpoint.url === url);
  const stored = existing && (await secrets.find(existing.endpointId));
  if (existing && stored) {
    if (existing.disabled) await endpointChanges.update(existing, { disabled: null });
    return { storeId, id: existing.endpointId, url, secret: stored.secret };
  }
  const endpointId = generateEndpointId();
  const endpoint = { ...log, endpointId, url, label: typedCommand('start --webhook'), createdAtMs: now() };
  const created = await endpointChanges.create(endpoint);
  if (created.outcome === 'created') return { storeId, id: endpointId, url, secret: created.secret };
  throw new OperatorError(
    `The store ${storeId} has ${ENDPOINTS_MAX} test endpoints, the most that it may have: remove one with \`${typedCommand('webhooks remove')}\`.`,
  );
};

/**
 * Registers an address for the test events of the demo stores. The same address again keeps its endpoints and secrets.
 *
 * @throws OperatorError if the address is not allowed, or if a store has too many endpoints
 */
export const ensureDemoWebhooks = async (
  address: string,
  baseUrl: string,
  tables: StageTables,
): Promise<readonly DemoWebhook[]> => {
  const url = await checkAddress(address, baseUrl);
  const repositories = repositoriesOf(tables);
  return Promise.all(
    DEMO_STORES.map(({ id }) => ensureEndpoint({ storeId: id, mode: 'test' }, url, repositories)),
  );
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
  const { endpoints, endpointChanges, now } = repositoriesOf(tables);
  const ensure = async ([storeId, endpointId]: (typeof BUILT_IN_IDS)[number]): Promise<void> => {
    const url = baseUrl + receiverPath(endpointId);
    const ref = { storeId, mode: 'test', endpointId } as const;
    const existing = await endpoints.get(ref);
    if (existing && existing.url !== url) await endpointChanges.update(existing, { url });
    if (existing || !creates) return;
    await endpointChanges.create({
      ...ref,
      url,
      events: CART_EVENT_TYPES,
      label: 'built-in receiver',
      createdAtMs: now(),
      // The id of a deleted endpoint with a fingerprint is not used again.
      requestFingerprint: 'built-in receiver',
    });
  };
  await Promise.all(BUILT_IN_IDS.map(ensure));
};
