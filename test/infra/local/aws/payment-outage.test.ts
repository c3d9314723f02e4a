import { randomUUID } from 'node:crypto';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordPaymentMessages } from '../../../../functions/record-payment/handler.ts';
import { Queue } from '../../../../infra/local/aws/queue.ts';
import { LOCAL_STATE_TABLE } from '../../../../infra/local/database/local-tables.ts';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import { visibilitySecondsOf } from '../../../../infra/stage/function-limits.ts';
import { QUEUES } from '../../../../infra/stage/queues.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-repositories.ts';
import { PAYMENT_RECEIVES_MAX } from '../../../../lib/payments/payment-retries.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import { aroundCalls } from '../../../support/database/client-calls.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database/database.ts';
import { eventAbout } from '../../../support/domain/payment-events.ts';
import { paymentTablesOf } from '../../../support/domain/payment-tables.ts';
import { waitingCart } from '../../../support/domain/payments.ts';

// The real function behind the queue of the local stage, with the limits of a deployed stage, on a simulated clock.

const VISIBILITY_SECONDS = visibilitySecondsOf('record-payment');
const HOUR_SECONDS = 3_600;

let clock: ManualClock;
let database: TestDatabase;
let repositories: ReturnType<typeof createPaymentRepositories>;
/** The error of each call of the function to the database. */
let failure: Error | undefined;
let queue: Queue;
let handle: (event: SQSEvent) => Promise<SQSBatchResponse>;
/** The seconds since the start at which the function got each message, by its text. */
let receivedAt: Map<string, number[]>;
let isQueueDown: boolean;

beforeEach(async () => {
  database = await givenDatabase();
  clock = manualClock();
  const startMs = clock.now();
  failure = undefined;
  isQueueDown = false;
  receivedAt = new Map();
  repositories = createPaymentRepositories(database.documents, paymentTablesOf(database.tableNames), {
    now: clock.now,
  });
  aroundCalls(database.documents, ({ input }, next) => (failure ? Promise.reject(failure) : next(input)));
  // The queue has another client: the outage is that of the function alone.
  const documents = database.newClient();
  const localStateTable = randomUUID();
  await prepareTable(documents, localStateTable, LOCAL_STATE_TABLE);
  handle = recordPaymentMessages({
    repositories,
    now: clock.now,
    returnMessages: async (messages) => {
      if (isQueueDown) throw new Error('SQS does not respond');
      for (const { receiptHandle, delaySeconds } of messages)
        queue.changeVisibility(receiptHandle, delaySeconds);
    },
  });
  queue = new Queue({
    name: 'payments',
    documents,
    localStateTable,
    now: clock.now,
    invoke: (event) => {
      for (const { body } of event.Records) {
        receivedAt.set(body, [...(receivedAt.get(body) ?? []), (clock.now() - startMs) / 1_000]);
      }
      return handle(event);
    },
    batchSize: QUEUES.payments.reader.batchSize,
    concurrency: QUEUES.payments.reader.concurrency,
    visibilitySeconds: VISIBILITY_SECONDS,
    receivesMax: PAYMENT_RECEIVES_MAX,
    random: Math.random,
    reportFailure: () => undefined,
  });
});

/** Sends a payment of a new cart. Returns the cart's id and the message. */
const sendPayment = async (amount = 19.99) => {
  const cart = waitingCart();
  // The test itself has no outage.
  const during = failure;
  failure = undefined;
  await repositories.live.carts.create(cart);
  failure = during;
  const body = eventAbout(cart.id, { amount });
  await queue.send([{ body, delaySeconds: 0 }]);
  return { cartId: cart.id, body };
};

/** Lets time pass, second by second. */
const pass = async (seconds: number): Promise<void> => {
  for (let second = 0; second <= seconds; second += 1) {
    if (second > 0) clock.advance(1);
    while ((await queue.poll()).length > 0);
  }
};

const statusOf = async (cartId: string): Promise<string | undefined> =>
  (await repositories.live.carts.find(cartId))?.status;

const errorOf = (name: string, $fault: 'client' | 'server' = 'client'): Error =>
  new DynamoDBServiceException({ name, $fault, $metadata: {}, message: 'The call failed' });

/** The receives of a message in two hours. By then, it is recorded or a dead letter. */
const receivesOf = async (body: string): Promise<readonly number[]> => {
  await pass(2 * HOUR_SECONDS);
  return receivedAt.get(body) ?? [];
};

describe('a payment', () => {
  it.each([
    errorOf('InternalServerError', 'server'),
    errorOf('ThrottlingException'),
    errorOf('AccessDeniedException'),
  ])('is recorded within five minutes after an outage of an hour: $name', async (error) => {
    failure = error;
    const payments = [];
    for (let minute = 0; minute < 60; minute += 10) {
      payments.push(await sendPayment());
      await pass(600);
    }
    failure = undefined;
    for (const { cartId } of payments) expect(await statusOf(cartId)).toBe('waiting_payment');
    await pass(300);
    for (const { cartId } of payments) expect(await statusOf(cartId)).toBe('completed');
  });

  it('returns after the visibility timeout if SQS is down as well', async () => {
    failure = errorOf('InternalServerError', 'server');
    isQueueDown = true;
    const { cartId, body } = await sendPayment();
    await pass(2 * VISIBILITY_SECONDS);
    failure = undefined;
    expect(await receivesOf(body)).toStrictEqual([0, 36, 72, 108]);
    expect(await statusOf(cartId)).toBe('completed');
  });
});

describe('a payment that fails for good becomes a dead letter', () => {
  it('within two minutes if it is rejected', async () => {
    const { cartId, body } = await sendPayment(20);
    const receives = await receivesOf(body);
    expect([receives.length, receives.at(-1)]).toStrictEqual([PAYMENT_RECEIVES_MAX, 95]);
    expect(await statusOf(cartId)).toBe('waiting_payment');
  });

  it.each<[string, () => void]>([
    [
      'crashes the function',
      () => {
        handle = () => Promise.reject(new Error('Runtime exited'));
      },
    ],
    ['meets a defect of our code', () => void (failure = new TypeError('defect'))],
  ])('within twelve minutes if it %s', async (_, fail) => {
    fail();
    const { body } = await sendPayment();
    const receives = await receivesOf(body);
    expect([receives.length, receives.at(-1)]).toStrictEqual([PAYMENT_RECEIVES_MAX, 684]);
  });
});
