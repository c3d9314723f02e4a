import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Mode } from '../../lib/core/mode.ts';
import { parsePaymentEvent } from '../../lib/carts/payment-event.ts';
import { createPaymentStores } from '../../lib/carts/payment-stores.ts';
import { type PaymentStores, recordPayment } from '../../lib/carts/record-payment.ts';
import { reportFailedPayment, reportPayment } from '../../lib/carts/report-payment.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { readEnv } from '../../lib/core/env.ts';
import { createDocumentClient } from '../../lib/aws.ts';
import { processClock } from '../../lib/core/process-clock.ts';

interface Dependencies {
  readonly stores: Readonly<Record<Mode, PaymentStores>>;
  readonly now: Clock;
}

/** Records the payment or refund of one message. Returns `false` if SQS must retry the message. */
const recordMessage = async (
  { body, attributes }: SQSRecord,
  { stores, now }: Dependencies,
): Promise<boolean> => {
  const parsed = parsePaymentEvent(body, now());
  const { event } = parsed;
  const isFirst = attributes.ApproximateReceiveCount === '1';
  const { paymentId } = event?.payment ?? event?.refund ?? {};
  const received = { isFirst, cartId: event?.cartId, paymentId };
  if (!parsed.ok) return reportPayment({ outcome: 'rejected', reason: parsed.reason }, received);
  try {
    const recorded = await recordPayment(parsed.event, stores[parsed.event.mode]);
    return reportPayment(recorded, received);
  } catch (error) {
    return reportFailedPayment(error, received);
  }
};

/**
 * Records the payment events that arrive from the stage's event bus through a queue (`docs/events.md`). The response
 * lists the messages that SQS must retry until they become dead letters.
 */
export const recordPayments =
  (dependencies: Dependencies) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    // At once: payments of one store share a transaction (`lib/events/group-commit.ts`).
    const recorded = await Promise.all(
      Records.map(async (record) => ({ record, isDone: await recordMessage(record, dependencies) })),
    );
    const failed = recorded.filter(({ isDone }) => !isDone);
    return { batchItemFailures: failed.map(({ record }) => ({ itemIdentifier: record.messageId })) };
  };

const dependencies = (): Dependencies => {
  const env = readEnv(['cartsTable', 'testCartsTable', 'eventsTable'], process.env);
  const { now } = processClock;
  return { stores: createPaymentStores(createDocumentClient({}, processClock), env, { now }), now };
};

export const handler = recordPayments(dependencies());
