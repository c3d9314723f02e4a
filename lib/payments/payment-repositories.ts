import { createCartRepository } from '../carts/cart-repository.ts';
import { type CartTables, cartTableOf } from '../carts/cart-tables.ts';
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
  tables: PaymentTables,
  options: EventLogOptions,
) => {
  const log = createEventLog(documents, tables.eventsTable, options);
  const { now } = options;
  const repositoriesOf = (table: string) => ({
    carts: createCartRepository(documents, table, now),
    paymentRecords: createPaymentRecordRepository(documents, table, { log, now }),
  });
  const { live, test } = cartTableOf(tables);
  return { live: repositoriesOf(live), test: repositoriesOf(test) };
};
