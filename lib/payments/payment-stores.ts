import type { Documents } from '../core/documents.ts';
import { createEventLog, type EventLogOptions } from '../events/event-log.ts';
import type { CartTables } from '../carts/cart-stores.ts';
import { createCartStore } from '../carts/cart-store.ts';
import { createPaymentStore } from './payment-store.ts';

/** The tables that the recording of a payment writes. */
export interface PaymentTables extends CartTables {
  readonly eventsTable: string;
}

/** The carts and payments of each mode, in the table of that mode. Their events are in one table. */
export const createPaymentStores = (
  documents: Documents,
  { cartsTable, testCartsTable, eventsTable }: PaymentTables,
  options: EventLogOptions,
) => {
  const log = createEventLog(documents, eventsTable, options);
  const { now } = options;
  const storesOf = (table: string) => ({
    carts: createCartStore(documents, table, now),
    payments: createPaymentStore(documents, table, { log, now }),
  });
  return { live: storesOf(cartsTable), test: storesOf(testCartsTable) };
};
