import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createEventRepository } from '../../../../lib/events/event-repository.ts';
import { type LoggedEvent, logKey } from '../../../../lib/events/logged-event.ts';
import { createPaymentRepositories } from '../../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { paymentTablesOf } from '../../../support/domain/payment-tables.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import {
  BUS_AND_QUEUES,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';

interface LetterLine {
  readonly messageId: string;
  readonly queue: string;
  readonly verdict: string;
}

const {
  PaymentDeadLetterQueueUrl,
  DeliveryDeadLetterQueueUrl,
  EventDeadLetterQueueUrl,
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

/** Completes a cart. Returns its event. */
const completeCart = async (): Promise<LoggedEvent> => {
  const cart = waitingCart({ mode: 'test', storeId: STORE_ID });
  await stage.carts.test.create(cart);
  const repositories = createPaymentRepositories(
    stage.documents,
    paymentTablesOf(stage.tableNames),
    stage.clock,
  );
  await recordPaymentEvent({ cartId: cart.id, mode: 'test', payment: payment() }, repositories.test);
  const log = { storeId: STORE_ID, mode: 'test' } as const;
  return (await createEventRepository(stage.documents, stage.tableNames.events).last(log))!.event!;
};

beforeAll(async () => {
  stage = await givenOperatedService();
  await stage.runJson('stores', 'put', STORE_ID, '--name', 'Lettered');
  endpointId = await createEndpoint('test');
  event = await completeCart();
  return stage.close;
});

afterEach(() => {
  for (const url of Object.values(BUS_AND_QUEUES)) stage.aws.queues.clear(url);
  stage.aws.entries.length = 0;
});

/** The key of an event in the events' dead-letter queue. */
const putDeadLetter = (changes: object = {}): void =>
  stage.aws.queues.put(
    EventDeadLetterQueueUrl,
    JSON.stringify({ reason: 'rejected', log: logKey(event), sequence: event.sequence, ...changes }),
  );

const putDeliveryDeadLetter = (endpoint = { storeId: STORE_ID, mode: 'test', endpointId }): string => {
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
    putDeadLetter();
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
    const { id, sequence } = await completeCart();
    stage.aws.onEvent(async ({ Detail }) => (Detail.includes(id) ? 'MalformedDetail' : undefined));
    putDeadLetter({ sequence });
    putDeadLetter();

    expect(await redrive()).toStrictEqual({ redriven: 1, left: 1 });
    stage.aws.onEvent(async () => undefined);
    expect(stage.aws.queues.bodies(EventDeadLetterQueueUrl)).toHaveLength(1);
  });

  test('a letter without a key stays, as does one whose event is deleted', async () => {
    stage.aws.queues.put(EventDeadLetterQueueUrl, 'no JSON');
    putDeadLetter({ sequence: undefined });
    putDeadLetter({ log: 'broken' });
    putDeadLetter({ log: 'test#unknown', sequence: 1 });

    const verdicts = (await list()).map(({ verdict }) => verdict);
    expect(verdicts.toSorted()).toStrictEqual(['eventDeleted', 'eventDeleted', 'malformed', 'malformed']);
    expect(await redrive()).toStrictEqual({ redriven: 0, left: 4 });
  });
});

describe('dead letters of deliveries', () => {
  test('go to the delivery queue of their mode again, as they were', async () => {
    const message = putDeliveryDeadLetter();
    const endpoint = { storeId: STORE_ID, mode: 'live', endpointId: await createEndpoint('live') };
    const liveMessage = putDeliveryDeadLetter(endpoint);
    const letter = { queue: 'deliveries', verdict: 'delivered' };
    expect(await list()).toMatchObject([letter, letter]);

    expect(await redrive()).toStrictEqual({ redriven: 2, left: 0 });
    expect(stage.aws.queues.bodies(SlowTestDeliveryQueueUrl)).toStrictEqual([message]);
    expect(stage.aws.queues.bodies(SlowDeliveryQueueUrl)).toStrictEqual([liveMessage]);
  });

  test('stay if they are malformed, or if their endpoint was removed', async () => {
    stage.aws.queues.put(DeliveryDeadLetterQueueUrl, '{"endpoint":{},"attempt":1}');
    putDeliveryDeadLetter({ storeId: STORE_ID, mode: 'unknown', endpointId });
    putDeliveryDeadLetter({ storeId: STORE_ID, mode: 'test', endpointId: 'we_unknown' });

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
      stage.aws.queues.put(PaymentDeadLetterQueueUrl, body);
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
    stage.aws.queues.put(PaymentDeadLetterQueueUrl, body.replace('payment.succeeded', 'payment.refunded'));
    const named = { cartId: cart.id, paymentId, result: 'refunded', amount: 5, currency: 'EUR' };
    expect(await list()).toMatchObject([{ verdict: 'recorded', payment: named }]);
    expect(await redrive()).toStrictEqual({ redriven: 1, left: 0 });
  });
});

test('a letter whose keys DynamoDB rejects hides no other letter', async () => {
  putDeadLetter({ sequence: 1e200 });
  putDeadLetter({ log: 'x'.repeat(3_000) });
  putDeliveryDeadLetter({ storeId: STORE_ID, mode: 'test', endpointId: 'x'.repeat(3_000) });
  putDeliveryDeadLetter();
  const verdicts = (await list()).map(({ verdict }) => verdict);
  expect(verdicts.toSorted()).toStrictEqual(['delivered', 'malformed', 'malformed', 'malformed']);
  expect(await redrive()).toStrictEqual({ redriven: 1, left: 3 });
  const flags = ['--verdict', 'malformed', '--yes'];
  expect(await stage.runJson('dead-letters', 'remove', ...flags)).toStrictEqual({ removed: 3 });
});

describe('remove', () => {
  test('deletes letters by their ids, and names those that it has not found', async () => {
    putDeliveryDeadLetter();
    putDeliveryDeadLetter();
    stage.aws.queues.put(PaymentDeadLetterQueueUrl, 'no JSON');
    const [letter] = await list('--queue', 'payments');
    const [delivery] = await list('--queue', 'deliveries');

    const ids = [letter!.messageId, delivery!.messageId];
    expect(await stage.runJson('dead-letters', 'remove', ...ids, '--yes')).toStrictEqual({ removed: 2 });
    const [other] = await list();
    expect(other).toMatchObject({ queue: 'deliveries' });
    const notFound = (id: string) => `No dead letter that was read has the message id ${id}.`;
    const part = await stage.run(['dead-letters', 'remove', ids[0]!, other!.messageId, '--yes', '--json']);
    expect(JSON.parse(part.stdout)).toStrictEqual({ removed: 1, notFound: [ids[0]] });
    expect(part.exitCode).toBe(1);
    expect(JSON.parse(part.stderr)).toMatchObject({ error: { message: notFound(ids[0]!) } });
    const none = await stage.run(['dead-letters', 'remove', ...ids, '--yes']);
    const stderr = `${ids.map(notFound).join(' ')}\n`;
    expect(none).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });

  test('deletes all letters of a verdict in one queue, and no others', async () => {
    putDeliveryDeadLetter({ storeId: STORE_ID, mode: 'test', endpointId: 'we_unknown' });
    stage.aws.queues.put(DeliveryDeadLetterQueueUrl, 'no JSON');
    for (let letter = 0; letter < 25; letter += 1) stage.aws.queues.put(PaymentDeadLetterQueueUrl, 'no JSON');

    const flags = ['--verdict', 'malformedEvent', '--queue', 'payments', '--yes'];
    expect(await stage.runJson('dead-letters', 'remove', ...flags)).toStrictEqual({ removed: 25 });
    const left = (await list()).map(({ verdict }) => verdict);
    expect(left).toStrictEqual(['endpointRemoved', 'malformed']);
  });

  test.each([
    [[], 'Name the messages to remove: either their ids, or --verdict.'],
    [['some-id', '--verdict', 'malformed'], 'Name the messages to remove: either their ids, or --verdict.'],
  ])('rejects %j', async (flags, sentence) => {
    const ended = await stage.run(['dead-letters', 'remove', ...flags, '--yes']);
    expect(ended).toMatchObject({ exitCode: 2, stderr: `${sentence}\n` });
  });

  test.each(['recorded', 'unknwonCart'])(
    'rejects the verdict %s, which no such letter has',
    async (verdict) => {
      const ended = await stage.run(['dead-letters', 'remove', '--verdict', verdict, '--yes']);
      expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('unknownCart') });
    },
  );
});

describe('a run that cannot read all letters', () => {
  const MORE =
    'There may be more dead letters than one command reads. Redrive them, or remove them by `--verdict`, then repeat the command.';

  test('says so in each command, and holds no letter at its end', async () => {
    stage.aws.queues.put(EventDeadLetterQueueUrl, 'no JSON');
    stage.aws.queues.endHolds(EventDeadLetterQueueUrl);
    expect(await stage.runJson('dead-letters', 'list')).toMatchObject({ deadLetters: [{}], hasMore: true });
    expect(await redrive()).toStrictEqual({ redriven: 0, left: 1, hasMore: true });
    for (const words of [['list'], ['redrive', '--yes'], ['remove', '--verdict', 'eventDeleted', '--yes']]) {
      const { exitCode, stdout } = await stage.run(['dead-letters', ...words]);
      expect({ exitCode, end: stdout.split('\n').at(-2) }).toStrictEqual({ exitCode: 0, end: MORE });
    }
    expect(stage.aws.queues.isHeld(EventDeadLetterQueueUrl)).toBe(false);
  });
});
