import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { deliverWebhooks } from '../../../functions/deliver-webhooks/handler.ts';
import type { DeliverDependencies } from '../../../lib/deliveries/deliver-dependencies.ts';
import { createLeases } from '../../../lib/deliveries/leases/leases.ts';
import type { Lane } from '../../../lib/deliveries/queue/lanes.ts';
import { type DeliveryMessage, drainRequestOf } from '../../../lib/deliveries/queue/queue-message.ts';
import type { ReturnedMessage } from '../../../lib/queues/returned-messages.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { batchOf, givenReceiver, processOn, QUEUE_ARN, recordOf } from '../../support/functions/delivery.ts';
import { logged } from '../../support/logs/log-lines.ts';

const database = await givenDatabase();
const DONE = { batchItemFailures: [] };

const inTime = { getRemainingTimeInMillis: () => 30_000 };

/** One environment of the function. */
const givenFunction = (changes: Partial<DeliverDependencies> = {}, lane: Lane = 'slow') => {
  const returnMessages = vi.fn(
    async (_queueUrl: string, _messages: readonly ReturnedMessage[]): Promise<void> => undefined,
  );
  const handler = deliverWebhooks({
    ...processOn(database),
    random: () => 0,
    ...changes,
    findQueue: (arn) => ({ queueUrl: `address of ${arn}`, mode: 'live', lane }),
    returnMessages,
  });
  const handle = (records: SQSRecord[], context = inTime) => handler(batchOf(records), context);
  return { returnMessages, handle };
};

const failuresOf = (records: readonly SQSRecord[]) => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

describe('a batch', () => {
  it('is delivered: the messages of one endpoint in their order, one at a time', async () => {
    const [first, second] = [await givenReceiver(database), await givenReceiver(database)];
    const [a, b] = [first.givenMessages(4), second.givenMessages(3)];
    const records = [a[0], b[0], a[1], a[2], b[1], b[2], a[3]].map((message) => recordOf(message ?? ''));
    const { handle, returnMessages } = givenFunction();
    expect(await handle(records)).toStrictEqual(DONE);
    expect(returnMessages).not.toHaveBeenCalled();
    expect(first.ids).toStrictEqual(a.map(({ eventId }) => eventId));
    expect(second.ids).toStrictEqual(b.map(({ eventId }) => eventId));
    expect(first.inFlightMax()).toBe(1);
  });

  it('delivers to the other endpoints while one hangs', async () => {
    const others = Promise.withResolvers<void>();
    const hanging = await givenReceiver(database, (response) => {
      void others.promise.then(() => response.end());
    });
    const healthy = await givenReceiver(database, (response) => {
      response.end();
      if (healthy.ids.length === 3) others.resolve();
    });
    const messages = [...hanging.givenMessages(1), ...healthy.givenMessages(3)];
    expect(await givenFunction().handle(messages.map((message) => recordOf(message)))).toStrictEqual(DONE);
  });

  it('returns a message that cannot be delivered now, after a delay that grows, and no other', async () => {
    const [broken, healthy] = [await givenReceiver(database), await givenReceiver(database)];
    const { leases } = processOn(database);
    const { handle, returnMessages } = givenFunction({
      leases: {
        ...leases,
        take: (endpoint, ...rest) =>
          endpoint.endpointId === broken.endpoint.endpointId
            ? Promise.reject(new Error('secret of the database'))
            : leases.take(endpoint, ...rest),
      },
    });
    const [first, second] = broken
      .givenMessages(2)
      .map((message, index) => recordOf(message, index === 0 ? 1 : 4));
    const records = [first!, ...healthy.givenMessages(1).map((message) => recordOf(message)), second!];
    const lines = await logged(async () => {
      expect(await handle(records)).toStrictEqual(failuresOf([first!, second!]));
    });
    expect(returnMessages.mock.calls).toStrictEqual([
      [
        `address of ${QUEUE_ARN}`,
        [
          { receiptHandle: first!.receiptHandle, delaySeconds: 2 },
          { receiptHandle: second!.receiptHandle, delaySeconds: 16 },
        ],
      ],
    ]);
    expect(healthy.ids).toHaveLength(1);
    const failure = { level: 'ERROR', message: 'delivery', outcome: 'error', cause: { name: 'Error' } };
    expect(lines.filter(({ level }) => level !== undefined)).toMatchObject([failure, failure]);
    expect(JSON.stringify(lines)).not.toContain('secret of the database');
  });

  it('asks once for a slot if other writers conflict, and returns the messages after seconds', async () => {
    const { givenMessages } = await givenReceiver(database);
    const take = vi.fn(async () => ({ outcome: 'contended' }) as const);
    const { handle, returnMessages } = givenFunction({ leases: { ...processOn(database).leases, take } });
    const records = givenMessages(10).map((message) => recordOf(message, 9));
    expect(await handle(records)).toStrictEqual(failuresOf(records));
    expect(take).toHaveBeenCalledTimes(1);
    const returned = returnMessages.mock.calls[0]?.[1];
    expect(returned?.map(({ delaySeconds }) => delaySeconds)).toStrictEqual(records.map(() => 1));
  });

  it.each<[string, ((message: DeliveryMessage) => unknown) | string, string?]>([
    ['no JSON', '{', 'SyntaxError'],
    ['null', 'null'],
    ['a number', '1'],
    ['no field', '{}'],
    ['no endpoint', (message) => ({ ...message, endpoint: undefined })],
    ['no store', ({ endpoint, ...message }) => ({ ...message, endpoint: { ...endpoint, storeId: 1 } })],
    ['no known mode', ({ endpoint, ...message }) => ({ ...message, endpoint: { ...endpoint, mode: 'x' } })],
    [
      'no endpoint id',
      ({ endpoint, ...message }) => ({ ...message, endpoint: { ...endpoint, endpointId: 1 } }),
    ],
    ['no event id', (message) => ({ ...message, eventId: 1 })],
    ['an attempt in text', (message) => ({ ...message, attempt: '1' })],
    ['a time in text', (message) => ({ ...message, recordedAtMs: '1' })],
    ['a number in text', (message) => ({ ...message, sequence: '1' })],
    ['a payment that no log has', (message) => ({ ...message, sequence: undefined, type: 'cart.completed' })],
  ])('logs a malformed message and delivers the others: %s', async (_what, malformed, name = 'Error') => {
    const receiver = await givenReceiver(database);
    const [first, second] = receiver.givenMessages(2);
    const text = typeof malformed === 'string' ? malformed : JSON.stringify(malformed(first!));
    const [bad, good] = [recordOf(text), recordOf(second!)];
    const lines = await logged(async () => {
      expect(await givenFunction().handle([bad, good])).toStrictEqual(failuresOf([bad]));
    });
    expect(receiver.ids).toStrictEqual([second!.eventId]);
    expect(lines.filter(({ level }) => level !== undefined)).toMatchObject([
      { level: 'ERROR', message: 'delivery', outcome: 'error', cause: { name } },
    ]);
  });

  it('sends nothing by a lease that ends during the attempt: the process was frozen, or its clock was behind', async () => {
    const receiver = await givenReceiver(database);
    let behindMs = 60_000;
    const now = () => NOW_MS - behindMs;
    const leases = createLeases(database.documents, database.tableNames.webhookEndpoints, now);
    const take: typeof leases.take = async (...args) => {
      const taken = await leases.take(...args);
      behindMs = 0;
      return taken;
    };
    const { handle } = givenFunction({ now, leases: { ...leases, take } });
    const records = receiver.givenMessages(1).map((message) => recordOf(message));
    expect(await handle(records)).toStrictEqual(failuresOf(records));
    expect(receiver.ids).toStrictEqual([]);
    expect(await handle(records)).toStrictEqual(DONE);
    expect(receiver.ids).toHaveLength(1);
  });

  /** The metrics of problems in the lines of a batch. */
  const problemsOf = async (records: readonly SQSRecord[], changes: Partial<DeliverDependencies> = {}) => {
    const lines = await logged(() => givenFunction(changes).handle([...records]));
    return lines
      .filter((line) => 'DeliveryLagSeconds' in line || 'DeliveriesInterrupted' in line)
      .map(({ mode, DeliveryLagSeconds: lag, DeliveriesInterrupted: interrupted }) => ({
        mode,
        lag,
        interrupted,
      }));
  };

  it('counts the longest time that one of its messages was due before its first receive, if it is long', async () => {
    const receiver = await givenReceiver(database);
    const [late, later, delayed, returned] = receiver.givenMessages(4);
    const records = [
      recordOf(late!, 1, 130_000),
      recordOf(later!, 1, 150_400),
      recordOf({ ...delayed!, delaySeconds: 300 }, 1, 360_000),
      recordOf(returned!, 2, 900_000),
    ];
    expect(await problemsOf(records)).toStrictEqual([{ mode: 'live', lag: 150, interrupted: undefined }]);
    const others = receiver.givenMessages(1).map((message) => recordOf(message, 1, 119_000));
    expect(await problemsOf(others)).toStrictEqual([]);
  });

  it('counts the messages that return after a failure of our own, and none that conflicts return', async () => {
    const receiver = await givenReceiver(database);
    const { leases } = processOn(database);
    const down = { leases: { ...leases, take: () => Promise.reject(new Error('down')) } };
    const records = [...receiver.givenMessages(2), '{'].map((message) => recordOf(message));
    const counted = [{ mode: 'live', lag: undefined, interrupted: 3 }];
    expect(await problemsOf(records, down)).toStrictEqual(counted);
    const busy = { leases: { ...leases, take: async () => ({ outcome: 'contended' }) as const } };
    const others = receiver.givenMessages(2).map((message) => recordOf(message));
    expect(await problemsOf(others, busy)).toStrictEqual([]);
  });

  it('counts a drain that fails, because nothing else shows that parked deliveries stall', async () => {
    const { endpoint } = await givenReceiver(database);
    const { parkedDeliveries } = processOn(database);
    const problemsWith = (first: typeof parkedDeliveries.first) =>
      problemsOf([recordOf(drainRequestOf(endpoint))], { parkedDeliveries: { ...parkedDeliveries, first } });
    const counted = [{ mode: 'test', lag: undefined, interrupted: 1 }];
    expect(await problemsWith(() => Promise.reject(new Error('down')))).toStrictEqual(counted);
    // A later release stored them.
    expect(await problemsWith(async () => ({ messages: [], isEmpty: false }))).toStrictEqual(counted);
  });

  it('starts no attempt that the time limit of the function could cut off', async () => {
    const receiver = await givenReceiver(database);
    const records = receiver.givenMessages(2).map((message) => recordOf(message));
    const context = { getRemainingTimeInMillis: () => 15_000 };
    const send = vi.fn(async () => undefined);
    expect(await givenFunction({ queue: { send } }).handle(records, context)).toStrictEqual(DONE);
    expect(receiver.ids).toStrictEqual([]);
    // They are parked.
    expect(send.mock.calls).toStrictEqual([
      [[drainRequestOf(receiver.endpoint)], { lane: 'slow', delaySeconds: 0 }],
    ]);
  });

  it('of the quick queue moves to the slow one if its endpoint is not quick', async () => {
    const receiver = await givenReceiver(database);
    const messages = receiver.givenMessages(2);
    const send = vi.fn(async () => undefined);
    const { handle } = givenFunction({ queue: { send } }, 'quick');
    expect(await handle(messages.map((message) => recordOf(message)))).toStrictEqual(DONE);
    expect(receiver.ids).toStrictEqual([]);
    expect(send.mock.calls).toStrictEqual([[messages]]);
  });

  it('returns its messages by the visibility timeout if the queue does not accept their delays, and logs the cause', async () => {
    const { handle, returnMessages } = givenFunction();
    returnMessages.mockRejectedValue(new RangeError('down'));
    const records = [recordOf('{')];
    const lines = await logged(async () => {
      expect(await handle(records)).toStrictEqual(failuresOf(records));
    });
    expect(lines.at(-1)).toMatchObject({
      level: 'WARN',
      message: 'messages not returned',
      cause: { name: 'RangeError' },
    });
  });
});

it('eight environments on a plain queue send one request at a time to an endpoint that hangs, and serve the others', async () => {
  const release = Promise.withResolvers<void>();
  const hangs = Promise.withResolvers<void>();
  const hanging = await givenReceiver(database, (response) => {
    hangs.resolve();
    void release.promise.then(() => response.end());
  });
  const othersDone = Promise.withResolvers<void>();
  let arrived = 0;
  const healthy = await Promise.all(
    Array.from({ length: 4 }, () =>
      givenReceiver(database, (response) => {
        response.end();
        arrived += 1;
        if (arrived === 12) othersDone.resolve();
      }),
    ),
  );
  const waiting = hanging.givenMessages(12);
  const queue = [
    ...waiting.slice(0, 6),
    ...healthy.flatMap(({ givenMessages }) => givenMessages(3)),
    ...waiting.slice(6),
  ].map((message) => recordOf(message));
  const returned: SQSRecord[] = [];

  // On a machine that stalls, the attempt that hangs is a long one: another invocation then continues.
  const send: DeliverDependencies['queue']['send'] = async (messages) =>
    void queue.push(...messages.map((message) => recordOf(message)));
  const runEnvironment = async (): Promise<void> => {
    const { handle } = givenFunction({ queue: { send } });
    for (let batch = queue.splice(0, 3); batch.length > 0; batch = queue.splice(0, 3)) {
      const { batchItemFailures } = await handle(batch);
      const ids = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      returned.push(...batch.filter(({ messageId }) => ids.has(messageId)));
    }
  };
  const runAll = () => Promise.all(Array.from({ length: 8 }, runEnvironment));
  const running = runAll();
  await Promise.all([hangs.promise, othersDone.promise]);
  expect(hanging.inFlightMax()).toBe(1);
  release.resolve();
  await running;
  // Messages without a free slot return, and count no attempt.
  while (returned.length > 0) {
    queue.push(...returned.splice(0));
    await runAll();
  }
  // Two after a quick success.
  expect(hanging.inFlightMax()).toBeLessThanOrEqual(2);
  expect(hanging.ids.toSorted()).toStrictEqual(waiting.map(({ eventId }) => eventId).toSorted());
  for (const { ids } of healthy) expect(ids.length).toBe(3);
});
