import type { Documents } from '../core/documents.ts';
import type { Mode } from '../core/mode.ts';
import { createErasureSchedule } from '../buyers/erasure-schedule.ts';
import { createLateErasures } from '../buyers/late-erasures.ts';
import { createEventLog, type EventLogOptions } from '../events/event-log.ts';
import type { CartTables } from './cart-stores.ts';
import { createCartStore } from './cart-store.ts';
import type { PaymentEvent } from './payment-event.ts';
import { createPaymentStore } from './payment-store.ts';
import type { RecordedPayment } from './record-payment.ts';

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
  const erasures = createLateErasures(createErasureSchedule(documents, dueTable), options.now);
  const storesOf = (table: string) => ({
    carts: createCartStore(documents, table),
    payments: createPaymentStore(documents, table, log, erasures),
  });
  return { live: storesOf(cartsTable), test: storesOf(testCartsTable) };
};

const isUnknown = (recorded: RecordedPayment): boolean =>
  recorded.outcome === 'rejected' && recorded.reason === 'unknownCart';

/**
 * Handles an event in the stores of its mode. An unknown test cart may be one of an earlier release, which stored the
 * carts of both modes in one table.
 */
export const inStoresOf = async <Stores>(
  event: PaymentEvent,
  { live, test }: Readonly<Record<Mode, Stores>>,
  handle: (event: PaymentEvent, stores: Stores) => Promise<RecordedPayment>,
): Promise<RecordedPayment> => {
  if (event.mode === 'live') return handle(event, live);
  const recorded = await handle(event, test);
  return isUnknown(recorded) ? handle(event, live) : recorded;
};
