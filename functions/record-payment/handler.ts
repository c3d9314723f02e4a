import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createDocumentClient, createQueueClient } from '../../lib/aws/clients.ts';
import { isRetryable } from '../../lib/aws/errors.ts';
import { isEarlyRefund } from '../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { parsePaymentEvent, type PaymentEvent } from '../../lib/payments/payment-event.ts';
import { createPaymentRepositories } from '../../lib/payments/payment-repositories.ts';
import {
  earlyRefundDelaySeconds,
  outageDelaySeconds,
  REJECTED_DELAY_SECONDS,
} from '../../lib/payments/payment-retries.ts';
import { type RecordDependencies, recordPaymentEvent } from '../../lib/payments/record-payment-event.ts';
import {
  reportEarlyRefund,
  reportFailedPaymentEvent,
  reportPaymentEvent,
} from '../../lib/payments/report-payment-event.ts';
import {
  batchResponse,
  type FailedMessage,
  type ReturnedMessage,
  returnMessages,
} from '../../lib/queues/returned-messages.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { settingNamesOf } from '../function-needs.ts';

interface Dependencies {
  readonly repositories: Readonly<Record<Mode, RecordDependencies>>;
  readonly now: Clock;
  /** Makes messages visible again after their delays. */
  readonly returnMessages: (messages: readonly ReturnedMessage[]) => Promise<void>;
}

/** A message is done, or SQS delivers it again after the delay. */
type RecordResult = 'done' | Pick<FailedMessage, 'delaySeconds'>;

const REJECTED: RecordResult = { delaySeconds: REJECTED_DELAY_SECONDS };

/** After a defect of the code, SQS delivers the message again after the visibility timeout, as after a crash. */
const DEFECT: RecordResult = { delaySeconds: undefined };

/**
 * The event of a refund that waits for its payment stays in the queue. The refund is stored, and takes effect by the event of
 * its payment. If none has come after a day, somebody must look: the refund may name a wrong payment.
 */
const keepEarlyRefund = (
  { refund }: PaymentEvent,
  cart: Cart,
  { attributes }: SQSRecord,
  now: Clock,
): RecordResult => {
  // In test mode, no money has moved.
  if (!refund || cart.mode !== 'live' || !isEarlyRefund(cart, refund)) return 'done';
  const { ApproximateReceiveCount, SentTimestamp } = attributes;
  const waitedMs = now() - Number(SentTimestamp);
  const delaySeconds = earlyRefundDelaySeconds(Number(ApproximateReceiveCount), waitedMs);
  if (delaySeconds !== undefined) return { delaySeconds };
  reportEarlyRefund(cart.id, refund);
  return 'done';
};

/** Records the payment or refund of one message. */
const recordMessage = async (
  record: SQSRecord,
  { repositories, now }: Dependencies,
): Promise<RecordResult> => {
  const { body, attributes } = record;
  const parsed = parsePaymentEvent(body, now());
  const { event } = parsed;
  const receiveCount = Number(attributes.ApproximateReceiveCount);
  const { paymentId } = event?.payment ?? event?.refund ?? {};
  const received = { isFirst: receiveCount === 1, cartId: event?.cartId, paymentId };
  if (!parsed.ok) {
    reportPaymentEvent({ outcome: 'rejected', reason: parsed.reason }, received);
    return REJECTED;
  }
  try {
    const recorded = await recordPaymentEvent(parsed.event, repositories[parsed.event.mode]);
    reportPaymentEvent(recorded, received);
    if (recorded.outcome === 'rejected') return REJECTED;
    return keepEarlyRefund(parsed.event, recorded.cart, record, now);
  } catch (error) {
    reportFailedPaymentEvent(error, received);
    return isRetryable(error) ? { delaySeconds: outageDelaySeconds(receiveCount) } : DEFECT;
  }
};

/**
 * Records the payment events that arrive from the stage's event bus through a queue (`docs/payments.md`). The response
 * lists the messages that SQS must deliver again, until they become dead letters. Their delays are longer in an outage.
 */
export const recordPaymentMessages =
  (dependencies: Dependencies) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    // At once: payments of one store share a transaction (`lib/events/group-commit.ts`).
    const results = await Promise.all(
      Records.map(async (record) => ({ record, result: await recordMessage(record, dependencies) })),
    );
    const failed = results.flatMap(({ record, result }) =>
      result === 'done' ? [] : [{ ...record, ...result }],
    );
    return batchResponse(failed, dependencies.returnMessages);
  };

const createDependencies = (): Dependencies => {
  const settings = readSettings(settingNamesOf('record-payment'));
  const { paymentsQueueUrl } = settings;
  const { now } = Date;
  const client = createQueueClient();
  return {
    repositories: createPaymentRepositories(createDocumentClient(), settings, { now }),
    now,
    returnMessages: (messages) => returnMessages(client, paymentsQueueUrl, messages),
  };
};

export const handler = recordPaymentMessages(createDependencies());
