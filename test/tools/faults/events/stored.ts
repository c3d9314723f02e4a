import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { CartEventType } from '../../../../lib/events/event-types.ts';
import { scanPages } from '../../../../lib/database/paginate.ts';
import type { Documents } from '../../../../lib/database/documents.ts';
import { SOURCES_TABLE } from '../../../../infra/local/database/local-database.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { createLogPositions } from '../../../../infra/local/aws/log-source.ts';
import { createApiKeyRepository } from '../../../../lib/operators/api-key-repository.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { toItem } from '../../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import type { LogId, LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { TIMER_INDEX, type Timer } from '../../../../lib/timers/timer.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { inParts } from '../../../../lib/core/in-parts.ts';
import { generateEndpointId, type WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';

/** A webhook endpoint of the load. */
export interface LoadEndpoint extends WebhookEndpoint {
  readonly secret: string;
}

const WRITES_AT_ONCE = 20;
const BATCH_SIZE = 25;
const PAGE_SIZE = 500;

/** The other items in the table of messages: how far events were passed on, and the steps of the dashboard. */
const NO_MESSAGES: ReadonlySet<unknown> = new Set(['log-positions', 'path']);

/** The tables with timers. Erasures wait for years: the carts' tables are read for their expiries. */
const WAITING = ['carts', 'testCarts', 'deliveries', 'webhookEndpoints'] as const;

const timeOf = ({ timer, timerAtMs }: Readonly<Record<string, unknown>>): readonly number[] => {
  const [kind] = String(timer).split('#');
  if (kind === 'erasure') return [];
  return [kind === 'parked' ? Infinity : Number(timerAtMs)];
};

const tableOf = ({ mode }: Cart): string => LOCAL_TABLE_NAMES[mode === 'live' ? 'carts' : 'testCarts'];

/** Stores carts as their creation does. */
export const storeCarts = (documents: Documents, carts: readonly Cart[]): Promise<void> =>
  inParallel(inParts(carts, BATCH_SIZE), WRITES_AT_ONCE, async (part) => {
    const requests = [...Map.groupBy(part, tableOf)].map(([table, own]) => [
      table,
      own.map((cart) => ({ PutRequest: { Item: toItem(cart) } })),
    ]);
    await documents.send(new BatchWriteCommand({ RequestItems: Object.fromEntries(requests) }));
  });

/** Reads all carts, without the claims of payments. */
export const storedCarts = async (documents: Documents): Promise<readonly (Cart & Partial<Timer>)[]> => {
  const carts: Cart[] = [];
  for (const TableName of [LOCAL_TABLE_NAMES.carts, LOCAL_TABLE_NAMES.testCarts]) {
    const scan = { TableName, ConsistentRead: true, FilterExpression: 'attribute_exists(storeId)' };
    for await (const { Items = [] } of scanPages(documents, scan)) carts.push(...(Items as Cart[]));
  }
  return carts;
};

/** Issues a key that no limit stops. */
export const issueKey = async (
  documents: Documents,
  { storeId, mode }: LogId,
  nowMs: number,
): Promise<string> => {
  const secret = generateApiKey(mode);
  const keys = createApiKeyRepository(documents, LOCAL_TABLE_NAMES.apiKeys);
  await keys.issue({ secret, storeId, mode, limit: 60_000, windowSeconds: 60, nowMs });
  return secret;
};

/** Creates a webhook endpoint. */
export const createEndpoint = async (
  documents: Documents,
  { storeId, mode }: LogId,
  urlOf: (endpointId: string) => string,
  events?: readonly CartEventType[],
): Promise<LoadEndpoint> => {
  const nowMs = Date.now();
  const endpointId = generateEndpointId();
  const url = urlOf(endpointId);
  const endpoint = { storeId, mode, endpointId, url, createdAtMs: nowMs, ...(events && { events }) };
  const secret = await storeEndpoint({ documents, tableNames: LOCAL_TABLE_NAMES }, endpoint);
  return { ...endpoint, secret };
};

/** Reads all stored events of a log. */
export const storedEvents = async (documents: Documents, log: LogId): Promise<readonly LoggedEvent[]> => {
  const repository = createEventRepository(documents, LOCAL_TABLE_NAMES.events);
  const found: LoggedEvent[] = [];
  for (;;) {
    const { events, hasMore } = await repository.after(log, found.at(-1)?.sequence ?? 0, PAGE_SIZE);
    found.push(...events);
    if (!hasMore) return found;
  }
};

/** Whether every event of a log was fanned out. */
export const isFannedOut = async (documents: Documents, log: LogId): Promise<boolean> => {
  const last = await createEventRepository(documents, LOCAL_TABLE_NAMES.events).last(log);
  const position = await createLogPositions(documents, SOURCES_TABLE.name).read(log);
  return (last?.sequence ?? 0) <= position;
};

/**
 * The times from which stored work can be done: timers, and messages of the queues. In order. A parked delivery waits for its
 * endpoint: {@link Infinity}. A process may have made a message visible later than this.
 */
export const readWorkTimes = async (documents: Documents): Promise<readonly number[]> => {
  const times: number[] = [];
  for (const table of WAITING) {
    const scan = { TableName: LOCAL_TABLE_NAMES[table], IndexName: TIMER_INDEX };
    for await (const { Items = [] } of scanPages(documents, scan)) times.push(...Items.flatMap(timeOf));
  }
  const messages = { TableName: SOURCES_TABLE.name, ConsistentRead: true };
  for await (const { Items = [] } of scanPages(documents, messages)) {
    for (const { source, visibleAtMs } of Items) {
      if (!NO_MESSAGES.has(source)) times.push(Number(visibleAtMs ?? Infinity));
    }
  }
  return times.toSorted((a, b) => a - b);
};
