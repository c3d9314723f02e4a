import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Mode } from '../api-keys/api-key.ts';
import type { Clock } from '../clock.ts';
import { callOptions, DATABASE_BUDGET_MS, type Documents, TableThrottledError } from '../dynamodb.ts';
import { createEventLog, type EventLog, type EventLogOptions } from '../events/event-log.ts';
import { inParts } from '../in-parts.ts';
import { createAbandonmentStore } from './abandonment-store.ts';
import { fromRawCart, type RawCart } from './cart-item.ts';
import { statusAt } from './cart-lifecycle.ts';
import type { PaymentTables } from './payment-stores.ts';
import type { Cart } from './cart.ts';

/** Carts of one mode that expire. */
export interface ExpiredCarts {
  readonly mode: Mode;
  readonly cartIds: readonly string[];
}

/** Reads and writes of `recordAbandonments`. */
export interface AbandonmentStores {
  readonly documents: Documents;
  /** The table of each mode's carts. */
  readonly tables: Readonly<Record<Mode, string>>;
  readonly log: EventLog;
  readonly now: Clock;
}

/** The dependencies of {@link recordAbandonments} in DynamoDB. */
export const createAbandonmentStores = (
  documents: Documents,
  { cartsTable, testCartsTable, eventsTable }: PaymentTables,
  options: EventLogOptions,
): AbandonmentStores => ({
  documents,
  tables: { live: cartsTable, test: testCartsTable },
  log: createEventLog(documents, eventsTable, options),
  now: options.now,
});

/** BatchGetItem's limit. */
const READS_MAX = 100;

/** Carts that are read and written together. The more carts of a log are among them, the fewer transactions it takes. */
const CARTS_AT_ONCE = 1_000;

/** The most attempts to read all carts of a batch. */
const READ_ATTEMPTS_MAX = 5;

/** Reads carts, in no order. Deleted ones are missing. */
const readCarts = async (
  documents: Documents,
  tableName: string,
  cartIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Cart[]> => {
  const found: RawCart[] = [];
  let Keys = cartIds.map((id) => ({ id: { S: id } }));
  for (let attempt = 0; Keys.length > 0; attempt += 1) {
    if (attempt === READ_ATTEMPTS_MAX) throw new TableThrottledError();
    const command = new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys, ConsistentRead: true } },
    });
    // oxlint-disable-next-line no-await-in-loop -- an attempt reads what the last one left
    const { Responses, UnprocessedKeys } = await documents.send(command, callOptions(signal));
    found.push(...(Responses?.[tableName] ?? []));
    Keys = (UnprocessedKeys?.[tableName]?.Keys ?? []) as typeof Keys;
  }
  return found.map(fromRawCart);
};

interface FoundCart {
  readonly tableName: string;
  readonly cart: Cart;
}

/**
 * Reads the carts of a mode. An earlier release stored test carts in the table of live mode, so those that the table of test
 * mode does not have may be there.
 */
const findCarts = async (
  { mode, cartIds }: ExpiredCarts,
  { documents, tables }: AbandonmentStores,
  signal: AbortSignal,
): Promise<readonly FoundCart[]> => {
  const readFrom = async (tableName: string, wanted: readonly string[]): Promise<readonly FoundCart[]> => {
    const reads = inParts(wanted, READS_MAX).map((ids) => readCarts(documents, tableName, ids, signal));
    return (await Promise.all(reads)).flat().map((cart) => ({ tableName, cart }));
  };
  const found = await readFrom(tables[mode], cartIds);
  if (mode === 'live') return found;
  const foundIds = new Set(found.map(({ cart }) => cart.id));
  const others = await readFrom(
    tables.live,
    cartIds.filter((id) => !foundIds.has(id)),
  );
  return [...found, ...others.filter(({ cart }) => cart.mode === mode)];
};

/** Records the abandonments of carts. Returns how many it recorded. */
const recordAll = async (
  expired: ExpiredCarts,
  stores: AbandonmentStores,
  signal: AbortSignal,
): Promise<number> => {
  const found = await findCarts(expired, stores, signal);
  const nowMs = stores.now();
  const abandoned = found.filter(
    ({ cart }) => statusAt(cart, nowMs).status === 'abandoned' && cart.abandonmentRecordedAtMs === undefined,
  );
  // The log stores them in a few transactions.
  const saved = await Promise.all(
    abandoned.map(({ tableName, cart }) =>
      createAbandonmentStore(tableName, stores.log).save(cart, nowMs, signal),
    ),
  );
  return saved.filter(Boolean).length;
};

/**
 * Records that carts are abandoned, and their events. It skips carts that are paid, deleted, recorded already or not yet
 * expired. A second run for the same carts is harmless.
 *
 * @param signal by default, each 1,000 carts have the time that a request has for its database calls
 * @throws the signal's reason if other writers of a log win each time. A later run records the rest.
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordAbandonments = async (
  { mode, cartIds }: ExpiredCarts,
  stores: AbandonmentStores,
  signal?: AbortSignal,
): Promise<{ readonly recorded: number }> => {
  let recorded = 0;
  for (const part of inParts([...new Set(cartIds)], CARTS_AT_ONCE)) {
    const budget = signal ?? AbortSignal.timeout(DATABASE_BUDGET_MS);
    // oxlint-disable-next-line no-await-in-loop -- a bounded number of carts in memory
    recorded += await recordAll({ mode, cartIds: part }, stores, budget);
  }
  return { recorded };
};
