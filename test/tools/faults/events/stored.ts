import type { EventType } from '../../../../lib/carts/cart-event.ts';
import { scanPages } from '../../../../lib/core/dynamodb-pages.ts';
import type { Documents } from '../../../../lib/core/documents.ts';
import { LOCAL_TABLE_NAMES, SOURCES_TABLE } from '../../../../infra/local/local-database.ts';
import { createLogPositions } from '../../../../infra/local/sources/log-source.ts';
import { createApiKeyStore } from '../../../../lib/api-keys/api-key-store.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { createCartStore } from '../../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { StoredEvent } from '../../../../lib/events/event-item.ts';
import { createEventStore } from '../../../../lib/events/event-store.ts';
import type { LogId } from '../../../../lib/events/store-event.ts';
import { TIMER_INDEX } from '../../../../lib/timers/timer.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import { generateEndpointId, type WebhookEndpoint } from '../../../../lib/webhooks/endpoint.ts';
import { storeEndpoint } from '../../../support/endpoints.ts';

/** A webhook endpoint of the load. */
export interface LoadEndpoint extends WebhookEndpoint {
  readonly secret: string;
}

const WRITES_AT_ONCE = 20;
const PAGE_SIZE = 500;

/** The tables of what waits. Erasures wait for years: the carts' tables are read for their expiries. */
const WAITING = ['carts', 'testCarts', 'deliveries', 'webhookEndpoints'] as const;

const timeOf = ({ timer, timerAtMs }: Readonly<Record<string, unknown>>): readonly number[] => {
  const [kind] = String(timer).split('#');
  if (kind === 'erasure') return [];
  return [kind === 'parked' ? Infinity : Number(timerAtMs)];
};

/** Stores carts as their creation does. */
export const storeCarts = async (documents: Documents, carts: readonly Cart[]): Promise<void> => {
  const { carts: live, testCarts: test } = LOCAL_TABLE_NAMES;
  const stores = {
    live: createCartStore(documents, live, Date.now),
    test: createCartStore(documents, test, Date.now),
  };
  await inParallel(carts, WRITES_AT_ONCE, async (cart) => void (await stores[cart.mode].create(cart)));
};

/** Issues a key that no limit stops. */
export const issueKey = async (
  documents: Documents,
  { storeId, mode }: LogId,
  nowMs: number,
): Promise<string> => {
  const secret = generateApiKey(mode);
  const keys = createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys);
  await keys.issue({ secret, storeId, mode, limit: 60_000, windowSeconds: 60, nowMs });
  return secret;
};

/** Creates a webhook endpoint. */
export const createEndpoint = async (
  documents: Documents,
  { storeId, mode }: LogId,
  urlOf: (endpointId: string) => string,
  events?: readonly EventType[],
): Promise<LoadEndpoint> => {
  const nowMs = Date.now();
  const endpointId = generateEndpointId();
  const url = urlOf(endpointId);
  const endpoint = { storeId, mode, endpointId, url, createdAtMs: nowMs, ...(events && { events }) };
  const secret = await storeEndpoint({ documents, tableNames: LOCAL_TABLE_NAMES }, endpoint);
  return { ...endpoint, secret };
};

/** Reads all stored events of a log. */
export const storedEvents = async (documents: Documents, log: LogId): Promise<readonly StoredEvent[]> => {
  const store = createEventStore(documents, LOCAL_TABLE_NAMES.events);
  const found: StoredEvent[] = [];
  for (;;) {
    const { events, hasMore } = await store.after(log, found.at(-1)?.sequence ?? 0, PAGE_SIZE);
    found.push(...events);
    if (!hasMore) return found;
  }
};

/** Whether every event of a log was fanned out. */
export const isFannedOut = async (documents: Documents, log: LogId): Promise<boolean> => {
  const last = await createEventStore(documents, LOCAL_TABLE_NAMES.events).last(log);
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
      if (source !== 'log-positions') times.push(Number(visibleAtMs ?? Infinity));
    }
  }
  return times.toSorted((a, b) => a - b);
};
