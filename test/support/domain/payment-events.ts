import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { CREATED_AT_MS } from './payments.ts';

/** The text of an event of `docs/payments.md`, as EventBridge puts it into a queue. */
export const eventAbout = (cartId: string, detail: object = {}, type = 'payment.succeeded'): string =>
  JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source: 'payments',
    account: '000000000000',
    time: '2026-01-15T12:31:00Z',
    region: 'us-east-1',
    resources: [],
    detail: {
      eventId: randomUUID(),
      cartId,
      mode: 'live',
      paymentId: randomUUID(),
      amount: 19.99,
      currency: 'EUR',
      occurredAt: new Date(CREATED_AT_MS + 60_000).toISOString(),
      ...detail,
    },
  });

/** A batch of messages; the receive count is 1 for a first delivery. */
export const paymentBatchOf = (
  bodies: readonly string[],
  receiveCount: number,
  sentAtMs = CREATED_AT_MS,
): SQSEvent => {
  const Records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `receipt-${index}`,
    body,
    attributes: { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentAtMs) },
  }));
  return { Records } as SQSEvent;
};

/** Returns no message before the queue's visibility timeout. */
export const NO_RETURNS = async (): Promise<void> => undefined;

/** The metrics that log lines count, in the order of the lines. */
export const countedIn = (lines: readonly Record<string, unknown>[]): string[] =>
  lines
    .filter((line) => '_aws' in line)
    .flatMap((line) => Object.keys(line).filter((name) => !['_aws', 'stage', 'mode'].includes(name)));
