import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { RejectedEventError } from '../../../lib/events/bus.ts';
import { toEventItem } from '../../../lib/events/event-item.ts';
import { NOW_MS } from '../../support/clock.ts';
import { event, eventRecord, events, streamRecordOf } from '../../support/domain/logged-events.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { followStream, givenSinks, pairsOf } from './sinks.ts';

describe('a record that cannot be handled', () => {
  const image = (item: object) => streamRecordOf(item, 's0');
  const valid = eventRecord(event(1));
  const KEY = { log: 'live#store-1', sequence: 1 };
  const ITEM = toEventItem(event(1));
  it.each([
    ['without an image', { eventName: 'INSERT', dynamodb: { SequenceNumber: 's0' } } as const, {}],
    [
      'with an attribute of no type',
      JSON.parse('{"eventName":"INSERT","dynamodb":{"NewImage":{"log":{}}}}') as DynamoDBRecord,
      {},
    ],
    ['without fields', image(KEY), KEY],
    ['of no mode', image({ ...ITEM, log: 'store-1' }), { log: 'store-1', sequence: 1 }],
    ['with a body that is not JSON', image({ ...ITEM, paymentBody: '{' }), KEY],
    ['with the body of another event', image({ ...ITEM, paymentBody: event(2).body }), KEY],
    [
      'with the body of a payment in the attribute of endpoints',
      image({ ...ITEM, paymentBody: undefined, endpointBody: event(1).body }),
      KEY,
    ],
    [
      'of an endpoint, with the body of a payment',
      image({
        ...ITEM,
        type: 'webhook_endpoint.updated',
        paymentBody: undefined,
        endpointBody: event(1).body,
      }),
      KEY,
    ],
    ['with bodies of two families', image({ ...ITEM, endpointBody: event(1).body }), KEY],
    ['of a later release', image({ ...ITEM, schemaVersion: 2 }), KEY],
    ['with a text as its number', image({ ...ITEM, sequence: '1' }), { log: 'live#store-1' }],
  ])('that is malformed becomes a dead letter, and those behind it are sent: %s', async (_, record, key) => {
    const sinks = givenSinks();
    const lines = await logged(async () => {
      expect(await sinks.send([record, valid])).toStrictEqual({ batchItemFailures: [] });
    });
    expect(sinks.deadLetters).toStrictEqual([
      { reason: 'malformed', log: undefined, sequence: undefined, ...key },
    ]);
    expect(sinks.onBus).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ EventDeadLetters: 1 }));
  });

  it.each([
    ['the bus rejects', 'bus', new RejectedEventError('MalformedDetail')],
    [
      'the queue rejects',
      'queue',
      Object.assign(new Error('not this text'), { name: 'InvalidMessageContents' }),
    ],
    ['a defect of the code hits', 'bus', new TypeError('undefined is not a function')],
  ])('that %s becomes a dead letter, and all others are sent', async (_, failing, error) => {
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
    expect(sinks.deadLetters).toStrictEqual([{ reason: 'rejected', log: 'live#store-1', sequence: 13 }]);
    const { bus, queue } = sinks.received();
    expect(bus).toStrictEqual(expect.arrayContaining(others.map(({ id }) => id)));
    expect([...queue]).toStrictEqual(expect.arrayContaining([...pairsOf(others)]));
    expect(lines).toContainEqual(expect.objectContaining({ EventDeadLetters: 1 }));
    expect(JSON.stringify(lines)).not.toContain(error.message);
  });

  it('is retried if its dead letter cannot be stored', async () => {
    const sinks = givenSinks();
    sinks.failing((call) => {
      if (call === 'dead letter') throw new UnavailableError('down');
    });
    await expect(sinks.send([image({}), valid])).rejects.toThrow('down');
    sinks.failing(() => undefined);
    await sinks.send([image({}), valid]);
    expect(sinks.deadLetters).toHaveLength(1);
  });

  it('without a number is retried after an outage, with its whole batch', async () => {
    const sinks = givenSinks();
    sinks.failing((call) => {
      if (call === 'bus') throw new UnavailableError('down');
    });
    const record = eventRecord(event(1));
    delete record.dynamodb?.SequenceNumber;
    await logged(async () => expect(sinks.send([record])).rejects.toThrow('no sequence number'));
  });
});

it('after an outage of 20 hours, records become dead letters before the stream deletes them', async () => {
  const sinks = givenSinks();
  sinks.failing((call) => {
    if (call === 'bus') throw new UnavailableError('down');
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
  expect(sinks.deadLetters).toStrictEqual(
    [1, 2].map((sequence) => ({ reason: 'expiring', log: 'live#store-1', sequence })),
  );
});

it.each(['MODIFY', 'REMOVE'] as const)('a record of %s sends no event', async (eventName) => {
  const sinks = givenSinks();
  expect(await sinks.send([{ ...eventRecord(event(1)), eventName }])).toStrictEqual({
    batchItemFailures: [],
  });
  expect(sinks.calls).toStrictEqual([]);
});
