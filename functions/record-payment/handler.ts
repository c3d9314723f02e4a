import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Mode } from '../../lib/api-keys/api-key.ts';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { parsePaymentEvent, type PaymentEvent } from '../../lib/carts/payment-event.ts';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import { type PaymentStores, type RecordedPayment, recordPayment } from '../../lib/carts/record-payment.ts';
import { reportFailedPayment, reportPayment } from '../../lib/carts/report-payment.ts';
import { createDocumentClient, DATABASE_BUDGET_MS } from '../../lib/dynamodb.ts';
import { readEnv } from '../../lib/env.ts';

/** The stores of each mode. The carts of an earlier release are all in those of live mode. */
export type PaymentStoresByMode = Readonly<Record<Mode, PaymentStores>>;

/** Records a payment on its cart, which may belong to either mode. */
const recordInEitherMode = async (
  { cartId, payment }: PaymentEvent,
  { live, test }: PaymentStoresByMode,
): Promise<RecordedPayment> => {
  const signal = AbortSignal.timeout(DATABASE_BUDGET_MS);
  const recorded = await recordPayment(cartId, payment, live, signal);
  const isUnknown = recorded.outcome === 'rejected' && recorded.reason === 'unknownCart';
  return isUnknown ? recordPayment(cartId, payment, test, signal) : recorded;
};

/** Records the payment of one message. Returns `false` if SQS must retry the message. */
const recordMessage = async (
  { body, attributes }: SQSRecord,
  stores: PaymentStoresByMode,
): Promise<boolean> => {
  const event = parsePaymentEvent(body);
  const delivery = { isFirst: attributes.ApproximateReceiveCount === '1', cartId: event?.cartId };
  if (!event) return reportPayment({ outcome: 'rejected', reason: 'malformedEvent' }, delivery);
  try {
    return reportPayment(await recordInEitherMode(event, stores), delivery);
  } catch (error) {
    return reportFailedPayment(error, delivery);
  }
};

/**
 * Records the payment events that arrive from the stage's event bus through a queue (`docs/events.md`). The response
 * lists the messages that SQS must retry until they become dead letters.
 */
export const recordPayments =
  (stores: PaymentStoresByMode) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of Records) {
      // oxlint-disable-next-line no-await-in-loop -- concurrent payments of one cart would only conflict
      const isRecorded = await recordMessage(record, stores);
      if (!isRecorded) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    return { batchItemFailures };
  };

const dependencies = (): PaymentStoresByMode => {
  const { cartsTable, testCartsTable } = readEnv(['cartsTable', 'testCartsTable'], process.env);
  const documents = createDocumentClient();
  const storesOf = (table: string): PaymentStores => ({
    carts: createCartStore(documents, table),
    payments: createPaymentStore(documents, table),
  });
  return { live: storesOf(cartsTable), test: storesOf(testCartsTable) };
};

export const handler = recordPayments(dependencies());
