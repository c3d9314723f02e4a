import type { TableKind } from '../../../lib/database/tables.ts';
import type { PaymentTables } from '../../../lib/payments/payment-repositories.ts';

/** Selects the tables that the recording of a payment writes. */
export const paymentTablesOf = (
  tableNames: Readonly<Record<Extract<TableKind, 'carts' | 'testCarts' | 'events'>, string>>,
): PaymentTables => ({
  cartsTable: tableNames.carts,
  testCartsTable: tableNames.testCarts,
  eventsTable: tableNames.events,
});
