import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { Run } from '../command.ts';
import { byParts, type Columns, minuteOf, table } from '../output.ts';
import type { LIST_WEBHOOKS } from './commands.ts';
import { endpointStateJson, stateOf } from './endpoint.ts';

const describeState = (endpoint: EndpointWithState): string => {
  const { disabled, state } = endpoint;
  if (disabled) return `disabled (${disabled.reason}) since ${minuteOf(disabled.atMs)}`;
  if (stateOf(endpoint) === 'open') return `open, next probe ${minuteOf(state.probeAtMs, 'now')}`;
  return 'enabled';
};

const COLUMNS: Columns<EndpointWithState> = {
  ENDPOINT: ({ endpointId }) => endpointId,
  STORE: ({ storeId }) => storeId,
  MODE: ({ mode }) => mode,
  URL: ({ url }) => url,
  EVENTS: ({ events }) => events?.join(',') ?? 'all',
  LABEL: ({ label = '' }) => label,
  'STATE (UTC)': describeState,
  'FAILING SINCE (UTC)': ({ state }) => minuteOf(state.failingSinceMs),
  'LAST SUCCESS (UTC)': ({ state }) => minuteOf(state.lastSuccessAtMs, 'never'),
};

export const run: Run<typeof LIST_WEBHOOKS> = async ({ store }, { stores }) => {
  const found = (await stores.endpoints.list())
    .filter(({ storeId }) => store === undefined || storeId === store)
    .toSorted(byParts(({ storeId, mode, createdAtMs }) => [storeId, mode, createdAtMs]));
  return {
    json: { webhooks: found.map(endpointStateJson) },
    lines: table(COLUMNS, found, 'There are no such webhook endpoints.'),
  };
};
