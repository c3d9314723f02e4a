import type { CartEvent } from '../../../lib/carts/cart-event.ts';
import { eventsAmong } from '../../../lib/events/event-item.ts';
import { createEventLog, type EventLog } from '../../../lib/events/event-log.ts';
import { createEventRepository } from '../../../lib/events/event-repository.ts';
import {
  createPaymentRecordRepository,
  type PaymentRecordRepository,
} from '../../../lib/payments/payment-record-repository.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { manualClock } from '../clock.ts';
import type { TestTables } from '../database/database.ts';

/** The logs of a test's tables, with the clock of the test, which stands still by default. */
export const eventLogOf = ({ documents, tableNames }: TestTables, now = manualClock().now): EventLog =>
  createEventLog(documents, tableNames.events, { now });

/** Saves a test's paid carts, by default of live mode. */
export const paymentRecordRepositoryOf = (
  { documents, tableNames }: TestTables,
  table: 'carts' | 'testCarts' = 'carts',
  now = manualClock().now,
): PaymentRecordRepository => {
  const log = eventLogOf({ documents, tableNames }, now);
  return createPaymentRecordRepository(documents, tableNames[table], { log, now });
};

/** The events of a log, as merchants receive them. */
export const eventsOf = async (
  { documents, tableNames }: TestTables,
  log: StoreMode,
): Promise<CartEvent[]> => {
  const { entries } = await createEventRepository(documents, tableNames.events).after(log, 0, 1_000);
  return eventsAmong(entries).map(({ body }) => JSON.parse(body) as CartEvent);
};
