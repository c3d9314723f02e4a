import { type CartTables, createCartRepository } from '../carts/cart-repository.ts';
import type { DocumentClient } from '../database/documents.ts';
import { createEventLog, type EventLogOptions } from '../events/event-log.ts';
import { createPaymentRecordRepository } from './payment-record-repository.ts';

/** The tables that the recording of a payment writes. */
export interface PaymentTables extends CartTables {
  readonly eventsTable: string;
}

/** The repositories that record the payments of each mode, in the table of that mode. Their events are in one table. */
export const createPaymentRepositories = (
  documents: DocumentClient,
  { cartsTable, testCartsTable, eventsTable }: PaymentTables,
  options: EventLogOptions,
) => {
  const log = createEventLog(documents, eventsTable, options);
  const { now } = options;
  const repositoriesOf = (table: string) => ({
    carts: createCartRepository(documents, table, now),
    paymentRecords: createPaymentRecordRepository(documents, table, { log, now }),
  });
  return { live: repositoriesOf(cartsTable), test: repositoriesOf(testCartsTable) };
};
