import type { Documents } from '../core/documents.ts';
import { createEventLog, type EventLogOptions } from '../events/event-log.ts';
import type { CartTables } from '../carts/cart-repositories.ts';
import { createCartRepository } from '../carts/cart-repository.ts';
import { createPaymentRepository } from './payment-repository.ts';

/** The tables that the recording of a payment writes. */
export interface PaymentTables extends CartTables {
  readonly eventsTable: string;
}

/** The carts and payments of each mode, in the table of that mode. Their events are in one table. */
export const createPaymentRepositories = (
  documents: Documents,
  { cartsTable, testCartsTable, eventsTable }: PaymentTables,
  options: EventLogOptions,
) => {
  const log = createEventLog(documents, eventsTable, options);
  const { now } = options;
  const repositoriesOf = (table: string) => ({
    carts: createCartRepository(documents, table, now),
    payments: createPaymentRepository(documents, table, { log, now }),
  });
  return { live: repositoriesOf(cartsTable), test: repositoriesOf(testCartsTable) };
};
