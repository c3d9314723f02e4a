import { parseEndpointUrl } from '../../../lib/endpoints/address/endpoint-url.ts';
import { hostIssueOf } from '../../../lib/endpoints/address/host-check.ts';
import { resolveHost } from '../../../lib/endpoints/address/resolve-host.ts';
import { ENDPOINTS_MAX, generateEndpointId } from '../../../lib/endpoints/endpoint.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { typedCommand } from '../../terminal/typed-command.ts';
import type { StageTables } from '../database/local-tables.ts';
import { endpointRepositories } from './endpoint-repositories.ts';

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
const checkAddress = async (text: string, publicUrl: string): Promise<string> => {
  const parsed = parseEndpointUrl(text, { allowsLoopback: true, publicUrl });
  const reason = parsed.ok ? await hostIssueOf(parsed.url, resolveHost) : parsed.reason;
  if (!parsed.ok || reason !== undefined)
    throw new OperatorError(`The address of --webhook cannot be used. ${reason}.`);
  return parsed.url;
};

/** Finds the endpoint with an address and enables it, or creates it. */
const ensureEndpoint = async (
  storeMode: StoreMode,
  url: string,
  { endpoints, secrets, endpointChanges, now }: ReturnType<typeof endpointRepositories>,
): Promise<DemoWebhook> => {
  const { storeId } = storeMode;
  const existing = (await endpoints.listOf(storeMode)).find((endpoint) => endpoint.url === url);
  const stored = existing && (await secrets.find(existing.endpointId));
  if (existing && stored) {
    if (existing.disabled) await endpointChanges.update(existing, { disabled: null });
    return { storeId, id: existing.endpointId, url, secret: stored.secret };
  }
  const endpointId = generateEndpointId();
  const endpoint = {
    ...storeMode,
    endpointId,
    url,
    label: typedCommand('start --webhook'),
    createdAtMs: now(),
  };
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
  const repositories = endpointRepositories(tables);
  return Promise.all(
    DEMO_STORES.map(({ id }) => ensureEndpoint({ storeId: id, mode: 'test' }, url, repositories)),
  );
};
