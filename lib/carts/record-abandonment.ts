import { createErasureSchedule, type ErasureSchedule } from '../buyers/erasure-schedule.ts';
import { awaitsErasure } from '../buyers/erased-cart.ts';
import { DATABASE_BUDGET_MS, type Documents } from '../core/documents.ts';
import { createEventLog, type EventLog, type EventLogOptions } from '../events/event-log.ts';
import { inParts } from '../core/in-parts.ts';
import { createAbandonmentStore } from './abandonment-store.ts';
import { statusAt } from './cart-lifecycle.ts';
import { type CartReads, type CartsOfMode, findCarts } from './find-carts.ts';
import type { PaymentTables } from './payment-stores.ts';

/** Reads and writes of `recordAbandonments`. */
export interface AbandonmentStores extends CartReads {
  readonly log: EventLog;
  readonly erasures: Pick<ErasureSchedule, 'put'>;
}

/** The dependencies of {@link recordAbandonments} in DynamoDB. */
export const createAbandonmentStores = (
  documents: Documents,
  { cartsTable, testCartsTable, eventsTable, dueTable }: PaymentTables,
  options: EventLogOptions,
): AbandonmentStores => ({
  documents,
  tables: { live: cartsTable, test: testCartsTable },
  log: createEventLog(documents, eventsTable, options),
  erasures: createErasureSchedule(documents, dueTable),
  now: options.now,
});

/** Carts that are read and written together. The more carts of a log are among them, the fewer transactions it takes. */
const CARTS_AT_ONCE = 1_000;

/** Records the abandonments of carts, and schedules the erasures of completed ones. Returns how many abandonments it recorded. */
const recordAll = async (
  expired: CartsOfMode,
  stores: AbandonmentStores,
  signal: AbortSignal,
): Promise<number> => {
  const found = await findCarts(expired, stores, signal);
  const carts = found.map(({ cart }) => cart);
  await stores.erasures.put(carts.filter(awaitsErasure), signal);
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
 * expired. It schedules the erasure of completed carts: every cart passes here once. A second run for the same carts is
 * harmless.
 *
 * @param signal by default, each 1,000 carts have the time that a request has for its database calls
 * @throws the signal's reason if other writers of a log win each time. A later run records the rest.
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const recordAbandonments = async (
  { mode, cartIds }: CartsOfMode,
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
