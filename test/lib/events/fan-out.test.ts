import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { type BusEvent, createBusSink, type EventBus, RejectedEventError } from '../../../lib/events/bus.ts';
import { fanOutRecords } from '../../../lib/events/fan-out-records.ts';
import { OutageError } from '../../../lib/core/errors.ts';
import type { SetAsideEvent } from '../../../lib/events/set-aside.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import type { DeliveryMessage, DeliveryQueue } from '../../../lib/webhooks/delivery.ts';
import { createEndpointSink } from '../../../lib/webhooks/endpoint-sink.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { NOW_MS } from '../../support/clock.ts';
import { logged } from '../../support/log-lines.ts';
import { endpoint, event, eventRecord, events, recordOf } from './events.ts';

/** A call succeeds, unless `fail` throws for it. */
type Fail = (call: string, ids: readonly string[]) => void;

/** The sinks of events, and the events that they got. */
const givenSinks = (endpoints: readonly WebhookEndpoint[] = [endpoint('we_1'), endpoint('we_2')]) => {
  const onBus: BusEvent[] = [];
  const messages: DeliveryMessage[] = [];
  const aside: SetAsideEvent[] = [];
  const calls: string[] = [];
  let nowMs = NOW_MS;
  let fail: Fail = () => undefined;
  const call = async (name: string, ids: readonly string[] = []): Promise<void> => {
    await Promise.resolve();
    calls.push(name);
    fail(name, ids);
  };
  const bus: EventBus = {
    put: async (sent) => {
      await call(
        'bus',
        sent.map(({ detail }) => String(detail['id'])),
      );
      onBus.push(...sent);
    },
  };
  const queue: DeliveryQueue = {
    send: async (sent) => {
      await call(
        'queue',
        sent.map(({ eventId }) => eventId),
      );
      messages.push(...sent);
    },
  };
  const createSinks = () => [
    createBusSink(bus, async (storeId) => {
      await call('store');
      return `Name of ${storeId}`;
    }),
    createEndpointSink(queue, async ({ storeId, mode }) => {
      await call('endpoints');
      return endpoints.filter((each) => each.storeId === storeId && each.mode === mode);
    }),
  ];
  const setAside = async (key: SetAsideEvent) => {
    await call('set aside');
    aside.push(key);
  };
  const handler = fanOutRecords({ createSinks, setAside, now: () => nowMs });
  return {
    onBus,
    messages,
    aside,
    calls,
    failing(behave: Fail): void {
      fail = behave;
    },
    later(ms: number): void {
      nowMs = NOW_MS + ms;
    },
    send: (Records: Parameters<typeof handler>[0]['Records']) => handler({ Records }),
    /** The ids that the bus has, and the ids and endpoints that the queue has, each once. */
    received: () => ({
      bus: [...new Set(onBus.map(({ detail }) => detail['id']))],
      queue: new Set(messages.map(({ eventId, endpoint: { endpointId } }) => `${eventId} ${endpointId}`)),
    }),
  };
};

type Sinks = ReturnType<typeof givenSinks>;

/** Invokes the function as Lambda does, from the first failed record on, until all are handled. */
const followStream = async (sinks: Sinks, records: Parameters<Sinks['send']>[0]): Promise<number> => {
  let left = records;
  for (let invocations = 1; ; invocations += 1) {
    try {
      const { batchItemFailures } = await sinks.send(left);
      const [failure] = batchItemFailures;
      if (!failure) return invocations;
      left = left.slice(
        left.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failure.itemIdentifier),
      );
    } catch {
      // The whole batch is retried.
    }
    if (invocations > 1_000) throw new Error('The stream is blocked');
  }
};

const pairsOf = (sent: readonly LoggedEvent[]): Set<string> =>
  new Set(sent.flatMap(({ id }) => [`${id} we_1`, `${id} we_2`]));

describe('an event', () => {
  it('reaches the bus with its store, and each endpoint by its key alone, so that an erasure reaches it there', async () => {
    const sinks = givenSinks();
    const sent = event(7);
    expect(await sinks.send([eventRecord(sent)])).toStrictEqual({ batchItemFailures: [] });
    const { id, timestamp, data, type } = JSON.parse(sent.body) as Record<string, unknown>;
    const store = { id: 'store-1', name: 'Name of store-1' };
    expect(sinks.onBus).toStrictEqual([
      { type: 'cart.completed', detail: { id, type, timestamp, store, mode: 'live', data } },
    ]);
    const message = {
      eventId: sent.id,
      type: 'cart.completed',
      recordedAtMs: sent.recordedAtMs,
      attempt: 1,
      sequence: 7,
    };
    expect(sinks.messages).toStrictEqual(
      ['we_1', 'we_2'].map((endpointId) => ({
        endpoint: { storeId: 'store-1', mode: 'live', endpointId },
        ...message,
      })),
    );
  });

  it('reaches only the endpoints of its store and mode that are enabled and want its type', async () => {
    const sinks = givenSinks([
      endpoint('all'),
      endpoint('wants', { events: ['cart.abandoned', 'cart.completed'] }),
      endpoint('wants not', { events: ['cart.abandoned'] }),
      endpoint('disabled', { disabled: { atMs: 1, reason: 'gone' } }),
      endpoint('test', { mode: 'test' }),
      endpoint('other', { storeId: 'store-2' }),
    ]);
    await sinks.send([eventRecord(event(1))]);
    expect(sinks.messages.map((message) => message.endpoint.endpointId)).toStrictEqual(['all', 'wants']);
  });

  it('of a store without endpoints reaches the bus alone', async () => {
    const sinks = givenSinks([]);
    await sinks.send([eventRecord(event(1))]);
    expect(sinks.calls).toStrictEqual(['store', 'endpoints', 'bus']);
  });

  it('costs one query of endpoints for each log of a batch', async () => {
    const sinks = givenSinks();
    const others = events(30).map((each) => ({ ...each, storeId: 'store-2' }));
    await sinks.send([...events(30), ...others].map(eventRecord));
    expect(sinks.calls.filter((call) => call === 'endpoints')).toHaveLength(2);
    expect(sinks.onBus).toHaveLength(60);
  });
});

describe('after deaths and outages', () => {
  it('each event reaches the bus and every endpoint, after a death at any call', async () => {
    const sent = events(25);
    let isDead = true;
    for (let survived = 0; isDead; survived += 1) {
      const sinks = givenSinks();
      isDead = false;
      let calls = 0;
      sinks.failing(() => {
        calls += 1;
        if (calls !== survived + 1) return;
        isDead = true;
        throw new OutageError('died');
      });
      await followStream(sinks, sent.map(eventRecord));
      expect(sinks.received()).toStrictEqual({ bus: sent.map(({ id }) => id), queue: pairsOf(sent) });
      expect(sinks.aside).toStrictEqual([]);
      expect(survived).toBeLessThan(100);
    }
  });

  it('an outage stops a batch at the first event that is not sent, and repeats none before its chunk', async () => {
    const sinks = givenSinks();
    sinks.failing((call, ids) => {
      if (call === 'bus' && ids.includes(event(15).id)) throw new OutageError('throttled');
    });
    const lines = await logged(async () => {
      expect(await sinks.send(events(30).map(eventRecord))).toStrictEqual({
        batchItemFailures: [{ itemIdentifier: 's11' }],
      });
    });
    expect(sinks.onBus.map(({ detail }) => detail['id'])).toStrictEqual(events(10).map(({ id }) => id));
    expect(lines).toMatchObject([{ message: 'fan-out', outcome: 'retry' }]);
  });

  it('after an outage of 20 hours, records are set aside before the stream deletes them', async () => {
    const sinks = givenSinks();
    sinks.failing((call) => {
      if (call === 'bus') throw new OutageError('down');
    });
    const records = events(3).map(eventRecord);
    const [fresh] = records.splice(2);
    if (fresh?.dynamodb) fresh.dynamodb.ApproximateCreationDateTime = (NOW_MS + 3_600_000) / 1_000;
    sinks.later(20 * 3_600_000 + 1);
    await logged(async () => {
      expect(await sinks.send([...records, fresh ?? {}])).toStrictEqual({
        batchItemFailures: [{ itemIdentifier: 's3' }],
      });
    });
    expect(sinks.aside).toStrictEqual(
      [1, 2].map((sequence) => ({ reason: 'expiring', log: 'live#store-1', sequence })),
    );
  });
});

describe('a record that cannot be handled', () => {
  const image = (item: object) => recordOf(item, 's0');
  const valid = eventRecord(event(1));
  const KEY = { log: 'live#store-1', sequence: 1 };
  it.each([
    ['without an image', { eventName: 'INSERT', dynamodb: { SequenceNumber: 's0' } } as const, {}],
    [
      'with an attribute of no type',
      JSON.parse('{"eventName":"INSERT","dynamodb":{"NewImage":{"log":{}}}}') as DynamoDBRecord,
      {},
    ],
    ['without fields', image({ log: 'live#store-1', sequence: 7 }), { log: 'live#store-1', sequence: 7 }],
    ['of no mode', image({ ...event(1), log: 'store-1' }), { log: 'store-1', sequence: 1 }],
    ['with a body that is not JSON', image({ ...event(1), log: 'live#store-1', body: '{' }), KEY],
    ['with the body of another event', image({ ...event(1), log: 'live#store-1', body: event(2).body }), KEY],
    [
      'whose body has no data',
      image({ ...event(1), log: 'live#store-1', body: JSON.stringify({ id: event(1).id, timestamp: 'x' }) }),
      KEY,
    ],
    ['of a later release', image({ ...event(1), log: 'live#store-1', schemaVersion: 2 }), KEY],
    [
      'with a text as its number',
      image({ ...event(1), log: 'live#store-1', sequence: '1' }),
      { log: 'live#store-1' },
    ],
  ])('that is malformed is set aside, and those behind it are sent: %s', async (_, record, key) => {
    const sinks = givenSinks();
    const lines = await logged(async () => {
      expect(await sinks.send([record, valid])).toStrictEqual({ batchItemFailures: [] });
    });
    expect(sinks.aside).toStrictEqual([{ reason: 'malformed', log: undefined, sequence: undefined, ...key }]);
    expect(sinks.onBus).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ RecordsSetAside: 1 }));
  });

  it.each([
    ['the bus rejects', 'bus', new RejectedEventError('MalformedDetail')],
    [
      'the queue rejects',
      'queue',
      Object.assign(new Error('not this text'), { name: 'InvalidMessageContents' }),
    ],
    ['a defect of the code hits', 'bus', new TypeError('undefined is not a function')],
  ])('that %s is set aside, and all others are sent', async (_, failing, error) => {
    const sinks = givenSinks();
    const sent = events(25);
    const [poison, ...others] = sent.splice(12, 1).concat(sent);
    if (!poison) throw new Error('no poison');
    sinks.failing((call, ids) => {
      if (call === failing && ids.includes(poison.id)) throw error;
    });
    const records = events(25).map(eventRecord);
    const lines = await logged(async () => {
      expect(await followStream(sinks, records)).toBe(1);
    });
    expect(sinks.aside).toStrictEqual([{ reason: 'rejected', log: 'live#store-1', sequence: 13 }]);
    const { bus, queue } = sinks.received();
    expect(bus).toStrictEqual(expect.arrayContaining(others.map(({ id }) => id)));
    expect([...queue]).toStrictEqual(expect.arrayContaining([...pairsOf(others)]));
    expect(lines).toContainEqual(expect.objectContaining({ RecordsSetAside: 1 }));
    expect(JSON.stringify(lines)).not.toContain(error.message);
  });

  it('is retried if it cannot be set aside', async () => {
    const sinks = givenSinks();
    sinks.failing((call) => {
      if (call === 'set aside') throw new OutageError('down');
    });
    await expect(sinks.send([image({}), valid])).rejects.toThrow('down');
    sinks.failing(() => undefined);
    await sinks.send([image({}), valid]);
    expect(sinks.aside).toHaveLength(1);
  });
});

it.each(['MODIFY', 'REMOVE'] as const)('a record of %s sends no event', async (eventName) => {
  const sinks = givenSinks();
  expect(await sinks.send([{ ...eventRecord(event(1)), eventName }])).toStrictEqual({
    batchItemFailures: [],
  });
  expect(sinks.calls).toStrictEqual([]);
});
