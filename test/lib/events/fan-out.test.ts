import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { fanOut } from '../../../lib/events/fan-out.ts';
import { readEndpoint } from '../../support/domain/endpoints.ts';
import { event, eventRecord, events } from '../../support/domain/logged-events.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { followStream, givenSinks, pairsOf } from './sinks.ts';

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
      readEndpoint('all'),
      readEndpoint('wants', { eventTypes: ['cart.abandoned', 'cart.completed'] }),
      readEndpoint('wants not', { eventTypes: ['cart.abandoned'] }),
      readEndpoint('disabled', { disabled: { atMs: 1, reason: 'gone' } }),
      readEndpoint('test', { mode: 'test' }),
      readEndpoint('other', { storeId: 'store-2' }),
    ]);
    await sinks.send([eventRecord(event(1))]);
    expect(sinks.messages.map((message) => message.endpoint.endpointId)).toStrictEqual(['all', 'wants']);
  });

  it('of the creation or the disabling of an endpoint reaches the other endpoints of its store, but not the endpoint itself', async () => {
    const sinks = givenSinks();
    const changes = (['created', 'disabled', 'deleted'] as const).map((change, index) => {
      const { id } = event(index + 1);
      const type = `webhook_endpoint.${change}`;
      const body = JSON.stringify({ id, type, timestamp: '2026-11-20T11:33:57.210Z', data: { id: 'we_2' } });
      return event(index + 1, { type, body });
    });
    await sinks.send(changes.map(eventRecord));
    expect(
      sinks.messages.map(({ type: sent, endpoint: { endpointId } }) => [sent, endpointId]),
    ).toStrictEqual([
      ['webhook_endpoint.created', 'we_1'],
      ['webhook_endpoint.disabled', 'we_1'],
      ['webhook_endpoint.deleted', 'we_1'],
      ['webhook_endpoint.deleted', 'we_2'],
    ]);
    expect(sinks.onBus).toHaveLength(3);
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
        throw new UnavailableError('died');
      });
      await followStream(sinks, sent.map(eventRecord));
      expect(sinks.received()).toStrictEqual({ bus: sent.map(({ id }) => id), queue: pairsOf(sent) });
      expect(sinks.deadLetters).toStrictEqual([]);
      expect(survived).toBeLessThan(100);
    }
  });

  it('an outage stops a batch at the first event that is not sent, and repeats none before its chunk', async () => {
    const sinks = givenSinks();
    sinks.failing((call, ids) => {
      if (call === 'bus' && ids.includes(event(15).id)) throw new UnavailableError('throttled');
    });
    const lines = await logged(async () => {
      expect(await sinks.send(events(30).map(eventRecord))).toStrictEqual({
        batchItemFailures: [{ itemIdentifier: 's11' }],
      });
    });
    expect(sinks.onBus.map(({ detail }) => detail['id'])).toStrictEqual(events(10).map(({ id }) => id));
    expect(lines).toMatchObject([{ message: 'fan-out', outcome: 'retry' }]);
  });

  it('an outage of one sink waits for the other, so that nothing is in flight after it', async () => {
    const outage = new UnavailableError('down');
    let isSent = false;
    const otherSink = async (): Promise<void> => {
      await setImmediate();
      isSent = true;
    };
    const result = await fanOut(events(1), [() => Promise.reject(outage), otherSink]);
    expect({ result, isSent }).toStrictEqual({ result: { handled: 0, rejected: [], outage }, isSent: true });
  });

  it('an outage beside an event that is rejected stops at the first event that is not sent, and loses none', async () => {
    const sinks = givenSinks();
    const [poison, unlucky] = [event(13), event(16)];
    sinks.failing((call, ids) => {
      if (call === 'queue' && ids.includes(poison.id)) throw new TypeError('undefined is not a function');
      if (call === 'bus' && ids.includes(unlucky.id)) throw new UnavailableError('throttled');
    });
    await logged(async () => {
      expect(await sinks.send(events(30).map(eventRecord))).toStrictEqual({
        batchItemFailures: [{ itemIdentifier: 's16' }],
      });
    });
    expect(sinks.deadLetters).toStrictEqual([{ reason: 'rejected', log: 'live#store-1', sequence: 13 }]);
    expect(sinks.received().bus).toStrictEqual(events(15).map(({ id }) => id));
  });
});
