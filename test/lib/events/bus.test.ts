import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { isRetryable } from '../../../lib/aws/errors.ts';
import { type BusEvent, createEventBus, RejectedEventError } from '../../../lib/events/bus.ts';

type Respond = (entries: readonly PutEventsRequestEntry[], call: number) => readonly (string | undefined)[];

/** The result of an entry in the response, by its error code. */
const resultOf = (code: string | undefined) => {
  if (code === 'unconfirmed') return {};
  return code === undefined ? { EventId: '1' } : { ErrorCode: code };
};

/** An event bus whose EventBridge responds to each entry with an error code, or accepts it. */
const givenBus = (respond: Respond = (entries) => entries.map(() => undefined)) => {
  const client = new EventBridgeClient({ region: 'local' });
  const calls: PutEventsRequestEntry[][] = [];
  const pauses: number[] = [];
  mockClient(client)
    .on(PutEventsCommand)
    .callsFake(({ Entries }: { Entries: PutEventsRequestEntry[] }) => {
      calls.push(Entries);
      const results = respond(Entries, calls.length).map(resultOf);
      return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    });
  const sleep = (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  };
  return { bus: createEventBus(client, 'platform', { sleep, random: () => 0.5 }), calls, pauses };
};

const event = (id: number, bytes = 0): BusEvent => ({
  type: 'cart.completed',
  detail: { id, text: 'é'.repeat(bytes / 2) },
});

const idsOf = (calls: readonly PutEventsRequestEntry[][]): number[][] =>
  calls.map((entries) => entries.map(({ Detail }) => (JSON.parse(Detail ?? '') as { id: number }).id));

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the event bus', () => {
  it('gets events with the source of the service', async () => {
    const { bus, calls } = givenBus();
    await bus.put([event(1)]);
    expect(calls).toStrictEqual([
      [
        {
          EventBusName: 'platform',
          Source: 'cart-checkout',
          DetailType: 'cart.completed',
          Detail: '{"id":1,"text":""}',
        },
      ],
    ]);
  });

  it('gets at most ten events at once, in order', async () => {
    const { bus, calls } = givenBus();
    await bus.put(range(1, 25).map((id) => event(id)));
    expect(idsOf(calls)).toStrictEqual([range(1, 10), range(11, 20), range(21, 25)]);
  });

  it('gets at most 256 KB at once, counted in bytes', async () => {
    const { bus, calls } = givenBus();
    await bus.put(range(1, 5).map((id) => event(id, 128_000)));
    expect(idsOf(calls)).toStrictEqual([[1, 2], [3, 4], [5]]);
  });

  it('gets no event above 256 KB, its source and type included', async () => {
    const { bus, calls } = givenBus();
    const entryBytes = 'cart-checkout'.length + 'cart.completed'.length + '{"id":1,"text":""}'.length;
    const restBytes = 256 * 1_024 - entryBytes;
    await expect(bus.put([event(1, restBytes + 1)])).rejects.toThrow(RejectedEventError);
    expect(calls).toStrictEqual([]);
    await bus.put([event(1, restBytes - 1)]);
    expect(calls).toHaveLength(1);
  });

  it.each(['ThrottlingException', 'InternalFailure'])(
    'gets again, after a pause, exactly the events that it did not take: %s',
    async (code) => {
      const { bus, calls, pauses } = givenBus((entries, call) =>
        entries.map((_, index) => (call === 1 && index % 2 === 1 ? code : undefined)),
      );
      await bus.put(range(1, 5).map((id) => event(id)));
      expect(idsOf(calls)).toStrictEqual([range(1, 5), [2, 4]]);
      expect(pauses).toHaveLength(1);
    },
  );

  it.each([
    ['an entry without an id', [undefined, 'unconfirmed']],
    ['no entry', [undefined]],
  ])('gets an event again for which the response has %s', async (_, codes) => {
    const { bus, calls } = givenBus((entries, call) => (call === 1 ? codes : entries.map(() => undefined)));
    await bus.put([event(1), event(2)]);
    expect(idsOf(calls)).toStrictEqual([[1, 2], [2]]);
  });

  it('has an outage if no response has an entry', async () => {
    const { bus, calls } = givenBus(() => []);
    const failed = await bus.put([event(1)]).catch((error: unknown) => error);
    expect(isRetryable(failed)).toBe(true);
    expect(calls).toHaveLength(3);
  });

  it.each(['ThrottlingException', 'AccessDeniedException', 'NotAuthorizedForSourceException'])(
    'has an outage if it never takes an event: %s',
    async (code) => {
      const { bus, calls } = givenBus((entries) => entries.map(() => code));
      const failed = await bus.put([event(1)]).catch((error: unknown) => error);
      expect(isRetryable(failed)).toBe(true);
      expect(calls).toHaveLength(3);
    },
  );

  it.each(['MalformedDetail', 'InvalidArgument', 'RedactionFailure'])(
    'rejects an invalid event: %s',
    async (code) => {
      const { bus, calls } = givenBus((entries) => entries.map(() => code));
      const failed = await bus.put([event(1)]).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(RejectedEventError);
      expect(isRetryable(failed)).toBe(false);
      expect(calls).toHaveLength(1);
    },
  );
});
