import type { Command } from 'commander';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { type Columns, minuteOf, print, table } from '../output.ts';
import { assertStoreOfList } from '../stores/known-store.ts';
import { endpointStateJson, stateOf } from './endpoint-json.ts';
import { findWebhooks } from './found-endpoint.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

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

/** Orders endpoints by store and mode, then by age. */
const compare = (a: EndpointWithState, b: EndpointWithState): number => {
  const [first, second] = [a, b].map(({ storeId, mode }) => `${storeId}#${mode}`) as [string, string];
  return first < second ? -1 : first > second ? 1 : a.createdAtMs - b.createdAtMs;
};

const listWebhooks = async (host: Host, { store, json, ...flags }: ListFlags): Promise<void> => {
  const { stage, endpoints } = await findWebhooks(host, flags);
  const found = (await endpoints.list())
    .filter(({ storeId }) => store === undefined || storeId === store)
    .toSorted(compare);
  await assertStoreOfList(stage, store, found);
  await print(
    host,
    json,
    { webhooks: found.map(endpointStateJson) },
    table(host, COLUMNS, found, 'There are no such webhook endpoints.'),
  );
};

const HELP = `
Examples:
  npm run operate -- webhooks list
  npm run operate -- webhooks list --store shop --stage prod
  npm run --silent operate -- webhooks list --json | jq '.webhooks[] | select(.state != "enabled")'

States: enabled; open, after five failures in a row: the service sends one probe at a time; disabled, by an operator,
because the receiver responded with 410 (gone), or after five days of nothing but failures (failing).`;

/** `webhooks list`: lists webhook endpoints with their state, without their secrets. */
export const listWebhooksCommand = (host: Host): Command =>
  stageCommand('list', 'list webhook endpoints with their state; reads the whole table', HELP)
    .option('--store <id>', 'only the endpoints of this store', parseId)
    .action((flags: ListFlags) => listWebhooks(host, flags));
