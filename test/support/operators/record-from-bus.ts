import { parsePaymentEvent } from '../../../lib/payments/payment-event.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { paymentTablesOf } from '../domain/payment-tables.ts';
import type { BusEntry } from './aws-stand-in.ts';
import type { OperatedService } from './deployed-stage.ts';

/** Creates the function that records an event of the bus, as the function of a stage does. */
export const recorderOf = ({
  documents,
  tableNames,
  clock,
}: Pick<OperatedService, 'documents' | 'tableNames' | 'clock'>) => {
  const repositories = createPaymentRepositories(documents, paymentTablesOf(tableNames), clock);
  return async ({ DetailType, Detail }: BusEntry): Promise<undefined> => {
    const parsed = parsePaymentEvent(`{"detail-type":"${DetailType}","detail":${Detail}}`, clock.now());
    if (parsed.ok) await recordPaymentEvent(parsed.event, repositories[parsed.event.mode]);
  };
};
