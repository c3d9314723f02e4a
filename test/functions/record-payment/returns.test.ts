import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse } from 'aws-lambda';
import { beforeEach, expect, it, vi } from 'vitest';
import { recordPaymentMessages } from '../../../functions/record-payment/handler.ts';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import type { RecordDependencies } from '../../../lib/payments/record-payment-event.ts';
import type { ReturnedMessage } from '../../../lib/queues/returned-messages.ts';
import { NOW_MS } from '../../support/clock.ts';
import { paymentBatchOf, eventAbout } from '../../support/domain/payment-events.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';

// The delays of returned messages. `test/infra/local/aws/payment-outage.test.ts` shows their effect on a payment.

const returnMessages = vi.fn<(messages: readonly ReturnedMessage[]) => Promise<void>>();

beforeEach(() => {
  returnMessages.mockReset().mockResolvedValue(undefined);
});

/** Delivers messages in one batch. The database fails with the error, if any. Otherwise, it saves every payment. */
const deliver = (
  bodies: readonly string[],
  receiveCount: number,
  error?: Error,
): Promise<SQSBatchResponse> => {
  const repositories: RecordDependencies = {
    carts: { find: async (id) => (error ? Promise.reject(error) : waitingCart({ id })) },
    paymentRecords: { save: async () => 'saved' },
  };
  const dependencies = {
    repositories: { live: repositories, test: repositories },
    now: () => NOW_MS,
    returnMessages,
  };
  return recordPaymentMessages(dependencies)(paymentBatchOf(bodies, receiveCount));
};

const payment = (): string => eventAbout(randomUUID());
const OUTAGE = new UnavailableError('down');

it.each([1, 19])('a rejected event returns after five seconds, at receive %i', async (receiveCount) => {
  await deliver(['nonsense'], receiveCount);
  expect(returnMessages.mock.calls).toStrictEqual([[[{ receiptHandle: 'receipt-0', delaySeconds: 5 }]]]);
});

it.each([
  [1, 5],
  [4, 135],
  [19, 300],
])('in an outage, an event of receive %i returns after %i s', async (receiveCount, delaySeconds) => {
  await deliver([payment()], receiveCount, OUTAGE);
  expect(returnMessages.mock.calls).toStrictEqual([[[{ receiptHandle: 'receipt-0', delaySeconds }]]]);
});

it('an event that meets a defect of our code returns after the visibility timeout, like a crash', async () => {
  const { batchItemFailures } = await deliver([payment()], 1, new TypeError('defect'));
  expect(batchItemFailures).toHaveLength(1);
  expect(returnMessages).not.toHaveBeenCalled();
});

it('the recorded events of a batch do not return', async () => {
  expect(await deliver([payment(), 'nonsense', payment()], 1)).toStrictEqual({
    batchItemFailures: [{ itemIdentifier: 'message-1' }],
  });
  expect(returnMessages.mock.calls).toStrictEqual([[[{ receiptHandle: 'receipt-1', delaySeconds: 5 }]]]);
  returnMessages.mockClear();
  await deliver([payment()], 1);
  expect(returnMessages).not.toHaveBeenCalled();
});

it('events return after the visibility timeout if the queue accepts no delay, and the cause is logged', async () => {
  returnMessages.mockRejectedValue(new RangeError('down'));
  const lines = await logged(async () => {
    const { batchItemFailures } = await deliver([payment()], 1, OUTAGE);
    expect(batchItemFailures).toHaveLength(1);
  });
  expect(lines).toMatchObject([
    { level: 'ERROR', message: 'payment', outcome: 'failed' },
    { level: 'WARN', message: 'messages not returned', cause: { name: 'RangeError' } },
  ]);
});
