import type { Documents } from '../core/documents.ts';
import { createErasureSchedule } from '../buyers/erasure-schedule.ts';
import { createLateErasures } from '../buyers/late-erasures.ts';
import { createEventLog, type EventLogOptions } from '../events/event-log.ts';
import type { CartTables } from './cart-stores.ts';
import { createCartStore } from './cart-store.ts';
import { createPaymentStore } from './payment-store.ts';

/** The tables that the recording of a payment writes. */
export interface PaymentTables extends CartTables {
  readonly eventsTable: string;
  /** Late payments schedule the erasure of their carts. */
  readonly dueTable: string;
}

/** The carts and payments of each mode, in the table of that mode. Their events are in one table. */
export const createPaymentStores = (
  documents: Documents,
  { cartsTable, testCartsTable, eventsTable, dueTable }: PaymentTables,
  options: EventLogOptions,
) => {
  const log = createEventLog(documents, eventsTable, options);
  const { now } = options;
  const lateErasures = createLateErasures(createErasureSchedule(documents, dueTable), now);
  const storesOf = (table: string) => ({
    carts: createCartStore(documents, table, now),
    payments: createPaymentStore(documents, table, { log, lateErasures, now }),
  });
  return { live: storesOf(cartsTable), test: storesOf(testCartsTable) };
};
