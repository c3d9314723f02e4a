import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createCartStore } from '../../lib/carts/cart-store.ts';
import { parsePaymentEvent } from '../../lib/carts/payment-event.ts';
import { createPaymentStore } from '../../lib/carts/payment-store.ts';
import { type PaymentStores, recordPayment } from '../../lib/carts/record-payment.ts';
import { reportFailedPayment, reportPayment } from '../../lib/carts/report-payment.ts';
import { createDocumentClient, DATABASE_BUDGET_MS } from '../../lib/dynamodb.ts';
import { readEnv } from '../../lib/env.ts';

/** Records the payment of one message. Returns `false` if SQS must retry the message. */
const recordMessage = async ({ body, attributes }: SQSRecord, stores: PaymentStores): Promise<boolean> => {
  const event = parsePaymentEvent(body);
  const delivery = { isFirst: attributes.ApproximateReceiveCount === '1', cartId: event?.cartId };
  if (!event) return reportPayment({ outcome: 'rejected', reason: 'malformedEvent' }, delivery);
  try {
    const signal = AbortSignal.timeout(DATABASE_BUDGET_MS);
    return reportPayment(await recordPayment(event.cartId, event.payment, stores, signal), delivery);
  } catch (error) {
    return reportFailedPayment(error, delivery);
  }
};

/**
 * Records the payment events that arrive from the stage's event bus through a queue (`docs/events.md`). The response
 * lists the messages that SQS must retry until they become dead letters.
 */
export const recordPayments =
  (stores: PaymentStores) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of Records) {
      // oxlint-disable-next-line no-await-in-loop -- concurrent payments of one cart would only conflict
      const isRecorded = await recordMessage(record, stores);
      if (!isRecorded) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    return { batchItemFailures };
  };

const dependencies = (): PaymentStores => {
  const { cartsTable } = readEnv(['cartsTable'], process.env);
  const documents = createDocumentClient();
  return {
    carts: createCartStore(documents, cartsTable),
    payments: createPaymentStore(documents, cartsTable),
  };
};

export const handler = recordPayments(dependencies());
