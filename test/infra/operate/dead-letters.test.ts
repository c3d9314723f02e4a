import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityBatchCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Decision, decideOnEach } from '../../../infra/operate/dead-letters/dead-letter-queue.ts';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import { createPaymentStores } from '../../../lib/carts/payment-stores.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { logKey } from '../../../lib/events/logged-event.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import {
  BUS_AND_QUEUES,
  givenOperatedService,
  operate,
  type OperatedService,
} from '../../support/operate.ts';
import { payment, waitingCart } from '../../support/payments.ts';

interface LetterLine {
  readonly messageId: string;
  readonly queue: string;
  readonly verdict: string;
}

const {
  DeadLetterQueueUrl,
  DeliveryDeadLetterQueueUrl,
  SetAsideQueueUrl,
  SlowDeliveryQueueUrl,
  SlowTestDeliveryQueueUrl,
  PaymentsQueueUrl,
} = BUS_AND_QUEUES;

const STORE_ID = 'lettered';

let stage: OperatedService;
let event: LoggedEvent;
let endpointId: string;

const createEndpoint = async (mode: string): Promise<string> => {
  const flags = ['--store', STORE_ID, '--mode', mode, '--url', 'https://shop.example/hook', '--yes'];
  return String((await stage.runJson('webhooks', 'create', ...flags))['id']);
};

beforeAll(async () => {
  stage = await givenOperatedService();
  await stage.runJson('stores', 'put', STORE_ID, '--name', 'Lettered');
  endpointId = await createEndpoint('test');
  const cart = waitingCart({ mode: 'test', storeId: STORE_ID });
  await stage.carts.test.create(cart);
  const stores = createPaymentStores(stage.documents, paymentTablesOf(stage.tableNames), stage.clock);
  await recordPayment({ cartId: cart.id, mode: 'test', payment: payment() }, stores.test);
  const log = { storeId: STORE_ID, mode: 'test' } as const;
  event = (await createEventStore(stage.documents, stage.tableNames.events).last(log))!.event!;
  return stage.close;
});

afterEach(() => {
  for (const url of Object.values(BUS_AND_QUEUES)) stage.aws.queues.clear(url);
  stage.aws.entries.length = 0;
});

/** The key of an event in the set-aside queue. */
const setAside = (changes: object = {}): void =>
  stage.aws.queues.put(
    SetAsideQueueUrl,
    JSON.stringify({ reason: 'rejected', log: logKey(event), sequence: event.sequence, ...changes }),
  );

const setDeliveryAside = (endpoint = { storeId: STORE_ID, mode: 'test', endpointId }): string => {
  const { id: eventId, type, recordedAtMs, sequence } = event;
  const message = JSON.stringify({ endpoint, eventId, type, recordedAtMs, attempt: 1, sequence });
  stage.aws.queues.put(DeliveryDeadLetterQueueUrl, message);
  return message;
};

const list = async (...flags: readonly string[]): Promise<readonly LetterLine[]> =>
  (await stage.runJson<{ deadLetters: LetterLine[] }>('dead-letters', 'list', ...flags)).deadLetters;

const redrive = () => stage.runJson('dead-letters', 'redrive', '--yes');

describe('dead letters of events', () => {
  test('an event goes to the bus and to its endpoints again, as it was', async () => {
    setAside();
    expect(await list()).toMatchObject([{ queue: 'events', verdict: 'sent', event: { id: event.id } }]);

    expect(await redrive()).toStrictEqual({ redriven: 1, left: 0 });

    expect(stage.aws.entries).toMatchObject([{ Source: 'cart-checkout', DetailType: 'cart.completed' }]);
    const detail = { id: event.id, store: { id: STORE_ID, name: 'Lettered' }, mode: 'test' };
    expect(JSON.parse(stage.aws.entries[0]!.Detail)).toMatchObject(detail);
    const [message] = stage.aws.queues
      .bodies(SlowTestDeliveryQueueUrl)
      .map((body) => JSON.parse(body) as object);
    expect(message).toMatchObject({ endpoint: { endpointId }, eventId: event.id });
    expect(message).not.toHaveProperty('body');
    expect(await list()).toStrictEqual([]);
  });

  test('an event that the bus rejects stays, and blocks none behind it', async () => {
    const codes = ['MalformedDetail', 'MalformedDetail', undefined];
    stage.aws.onEvent(async () => codes.shift());
    setAside();
    setAside();

    expect(await redrive()).toStrictEqual({ redriven: 1, left: 1 });
    stage.aws.onEvent(async () => undefined);
    expect(stage.aws.queues.bodies(SetAsideQueueUrl)).toHaveLength(1);
  });

  test('a letter without a key stays, as does one whose event is deleted', async () => {
    stage.aws.queues.put(SetAsideQueueUrl, 'no JSON');
    setAside({ sequence: undefined });
    setAside({ log: 'broken' });
    setAside({ log: 'test#unknown', sequence: 1 });

    const verdicts = (await list()).map(({ verdict }) => verdict);
    expect(verdicts.toSorted()).toStrictEqual(['eventDeleted', 'eventDeleted', 'malformed', 'malformed']);
    expect(await redrive()).toStrictEqual({ redriven: 0, left: 4 });
  });
});

describe('dead letters of deliveries', () => {
  test('go to the delivery queue of their mode again, as they were', async () => {
    const message = setDeliveryAside();
    const endpoint = { storeId: STORE_ID, mode: 'live', endpointId: await createEndpoint('live') };
    const liveMessage = setDeliveryAside(endpoint);
    const letter = { queue: 'deliveries', verdict: 'delivered' };
    expect(await list()).toMatchObject([letter, letter]);

    expect(await redrive()).toStrictEqual({ redriven: 2, left: 0 });
    expect(stage.aws.queues.bodies(SlowTestDeliveryQueueUrl)).toStrictEqual([message]);
    expect(stage.aws.queues.bodies(SlowDeliveryQueueUrl)).toStrictEqual([liveMessage]);
  });

  test('stay if they are malformed, or if their endpoint was removed', async () => {
    stage.aws.queues.put(DeliveryDeadLetterQueueUrl, '{"endpoint":{},"attempt":1}');
    setDeliveryAside({ storeId: STORE_ID, mode: 'unknown', endpointId });
    setDeliveryAside({ storeId: STORE_ID, mode: 'test', endpointId: 'we_unknown' });

    const verdicts = (await list()).map(({ verdict }) => verdict);
    expect(verdicts).toStrictEqual(['malformed', 'malformed', 'endpointRemoved']);
    expect(await redrive()).toStrictEqual({ redriven: 0, left: 3 });
  });
});

describe('dead letters of payments', () => {
  const paymentEvent = (cartId: string, changes: object = {}): string =>
    JSON.stringify({
      'detail-type': 'payment.succeeded',
      detail: {
        eventId: randomUUID(),
        cartId,
        mode: 'test',
        paymentId: randomUUID(),
        amount: 19.99,
        currency: 'EUR',
        occurredAt: new Date(stage.clock.now()).toISOString(),
        ...changes,
      },
    });

  test('go to the payments queue if they can be recorded now, and stay otherwise', async () => {
    const cart = waitingCart({ mode: 'test', storeId: STORE_ID });
    await stage.carts.test.create(cart);
    const recordable = paymentEvent(cart.id);
    for (const body of [recordable, paymentEvent(cart.id, { amount: 1 }), 'no JSON']) {
      stage.aws.queues.put(DeadLetterQueueUrl, body);
    }
    expect((await list()).map(({ verdict }) => verdict)).toStrictEqual([
      'recorded',
      'amountMismatch',
      'malformedEvent',
    ]);

    expect(await redrive()).toStrictEqual({ redriven: 1, left: 2 });
    expect(stage.aws.queues.bodies(PaymentsQueueUrl)).toStrictEqual([recordable]);
    expect(await list()).toHaveLength(2);
  });

  test('name a refund as such', async () => {
    const cart = waitingCart({ mode: 'test', storeId: STORE_ID });
    await stage.carts.test.create(cart);
    const [paymentId, changes] = [randomUUID(), { eventId: undefined, refundId: 'r', amount: 5 }];
    const body = paymentEvent(cart.id, { ...changes, paymentId });
    stage.aws.queues.put(DeadLetterQueueUrl, body.replace('payment.succeeded', 'payment.refunded'));
    const named = { cartId: cart.id, paymentId, result: 'refunded', amount: 5, currency: 'EUR' };
    expect(await list()).toMatchObject([{ verdict: 'recorded', payment: named }]);
    expect(await redrive()).toStrictEqual({ redriven: 1, left: 0 });
  });
});

test('--queue selects one queue, and remove deletes one letter by its id', async () => {
  setDeliveryAside();
  stage.aws.queues.put(DeadLetterQueueUrl, 'no JSON');
  const [letter] = await list('--queue', 'payments');

  expect(letter).toMatchObject({ queue: 'payments' });
  await stage.runJson('dead-letters', 'remove', letter!.messageId, '--yes');
  expect(await list()).toMatchObject([{ queue: 'deliveries' }]);
  expectFailure(await stage.run(['dead-letters', 'remove', letter!.messageId, '--yes']), 1, /No dead letter/);
});

describe('a run that cannot read all letters', () => {
  const MORE =
    'There may be more dead letters than one run reads: repeat the command, after `dead-letters redrive` if there are over 10,000.';

  test('says so in each command, and holds no letter at its end', async () => {
    stage.aws.queues.put(SetAsideQueueUrl, 'no JSON');
    stage.aws.queues.endHolds(SetAsideQueueUrl);
    expect(await stage.runJson('dead-letters', 'list')).toMatchObject({ deadLetters: [{}], hasMore: true });
    expect(await redrive()).toStrictEqual({ redriven: 0, left: 1, hasMore: true });
    for (const words of [['list'], ['redrive', '--yes']]) {
      const { exitCode, stdout } = await stage.run(['dead-letters', ...words]);
      expect({ exitCode, end: stdout.split('\n').at(-2) }).toStrictEqual({ exitCode: 0, end: MORE });
    }
    const removed = await stage.run(['dead-letters', 'remove', 'unknown', '--yes']);
    expect(removed).toMatchObject({
      exitCode: 1,
      stderr: `None of those read has the message id unknown. ${MORE}\n`,
    });
    expect(stage.aws.queues.isHeld(SetAsideQueueUrl)).toBe(false);
  });

  /** Runs over a queue with so many letters. It is in memory, because SQS's own protocol takes seconds for so many. */
  const runOver = async (letters: number, decide: () => Promise<Decision>) => {
    let sent = 0;
    let released = 0;
    const send = async (command: unknown) => {
      if (command instanceof ChangeMessageVisibilityBatchCommand)
        released += command.input.Entries?.length ?? 0;
      if (!(command instanceof ReceiveMessageCommand)) return {};
      // The period of the alarms on dead letters. A letter that is hidden for all of it would count as a new one.
      expect(command.input.VisibilityTimeout).toBeLessThan(300);
      const Messages = Array.from({ length: Math.min(10, letters - sent) }, (_, index) => ({
        MessageId: String(sent + index),
      }));
      sent += Messages.length;
      return { Messages };
    };
    const sqs = { send } as unknown as SQSClient;
    const run = await decideOnEach(sqs, 'https://queue', decide).catch(() => 'failed');
    return { run, released };
  };

  test('reads 10,000 of a queue, also if it removes them', async () => {
    let decided = 0;
    const decideAs = (decision: Decision) => async () => {
      decided += 1;
      return decision;
    };
    const kept = await runOver(10_000, decideAs('keep'));
    expect({ ...kept, decided }).toStrictEqual({
      run: false,
      released: 10_000,
      decided: 10_000,
    });
    const removed = await runOver(10_010, decideAs('remove'));
    expect({ ...removed, decided }).toStrictEqual({ run: true, released: 10, decided: 20_000 });
  });

  test('releases its letters if it fails', async () => {
    const fail = () => Promise.reject(new Error('slow database'));
    expect(await runOver(15, fail)).toStrictEqual({ run: 'failed', released: 10 });
  });
});

test('the local stage has none', async () => {
  const ended = await operate(['dead-letters', 'list', '--dynamodb', stage.dynamodbEndpoint]);
  const words = /^`dead-letters list` works on a deployed stage only: select one with --stage\.\n$/;
  expectFailure(ended, 1, words);
});
