import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import { createEndpointSink } from '../../../lib/deliveries/queue/endpoint-sink.ts';
import type { Lane } from '../../../lib/deliveries/queue/lanes.ts';
import { drainRequestOf, testMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import type { EndpointState } from '../../../lib/endpoints/endpoint.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { endpointChangesOf, readEndpoint } from '../../support/domain/endpoints.ts';
import { event } from '../../support/domain/logged-events.ts';
import { worldOn } from './support/database-repositories.ts';
import type { World, WorldOptions } from './support/world.ts';

const database = await givenDatabase();
const endpointChanges = endpointChangesOf(database);

const QUICK: EndpointState = { failures: 0, isQuick: true };

/** An endpoint whose last attempt succeeded quickly. */
const givenQuick = async (options: WorldOptions = {}): Promise<World> => {
  const world = await worldOn(database, options);
  await world.stores.endpoints.setState(QUICK);
  return world;
};

it('the events of quick endpoints go to the quick queue, those of all others to the slow one', async () => {
  const endpoints = [
    readEndpoint('we_new'),
    readEndpoint('we_quick', { state: QUICK }),
    readEndpoint('we_slow', { state: { failures: 0, lastSuccessAtMs: NOW_MS } }),
    readEndpoint('we_failing', { state: { failures: 1 } }),
  ];
  const sent: Partial<Record<Lane, readonly string[]>> = {};
  const queue: DeliveryQueue = {
    async send(messages, { lane = 'slow' } = {}) {
      sent[lane] = messages.map(({ endpoint: { endpointId } }) => endpointId);
    },
  };
  await createEndpointSink(queue, async () => endpoints)([event(1)]);
  expect(sent).toStrictEqual({ quick: ['we_quick'], slow: ['we_new', 'we_slow', 'we_failing'] });
});

it('no event is on its way to a queue after an error of the other', async () => {
  const endpoints = [readEndpoint('we_new'), readEndpoint('we_quick', { state: QUICK })];
  const slow = Promise.withResolvers<undefined>();
  const queue: DeliveryQueue = {
    async send(_, { lane } = {}) {
      if (lane === 'quick') throw new Error('down');
      await slow.promise;
    },
  };
  let error: unknown;
  const sent = createEndpointSink(
    queue,
    async () => endpoints,
  )([event(1)]).catch((thrown: unknown) => (error = thrown));
  await setImmediate();
  expect(error).toBeUndefined();
  slow.resolve(undefined);
  await sent;
  expect(error).toMatchObject({ message: 'down' });
});

describe('a message of the quick queue', () => {
  it('is attempted if its endpoint is quick', async () => {
    const world = await givenQuick();
    expect(await world.receiveQuick([world.givenMessage()])).toStrictEqual(['succeeded']);
    expect(await world.records()).toMatchObject([{ status: 'succeeded' }]);
  });

  it.each<[string, (world: World) => Promise<unknown>]>([
    ['is new', async ({ stores }) => stores.endpoints.setState({ failures: 0 })],
    ['fails', async ({ stores }) => stores.endpoints.setState({ failures: 1 })],
    ['has an open breaker', async ({ stores }) => stores.endpoints.setState({ failures: 5 })],
    [
      'is disabled',
      async (world) =>
        endpointChanges.update(world.endpoint, { disabled: { atMs: NOW_MS, reason: 'merchant' } }),
    ],
  ])(
    'moves to the slow queue if its endpoint %s, all by one call, and nothing is sent',
    async (_, change) => {
      const world = await givenQuick();
      await change(world);
      const take = vi.spyOn(world.stores.leases, 'take');
      const messages = [...world.givenMessages(9), testMessageOf(world.endpoint, NOW_MS)];
      expect(await world.receiveQuick(messages)).toStrictEqual(messages.map(() => 'notQuick'));
      expect(world.queued('slow')).toHaveLength(10);
      expect(world.queued('slow')).toStrictEqual(expect.arrayContaining(messages));
      expect(take).toHaveBeenCalledTimes(1);
      expect(world.received).toStrictEqual([]);
      expect(await world.parked()).toStrictEqual([]);
    },
  );

  it('returns if it cannot be moved, and is not parked', async () => {
    const world = await worldOn(database);
    const error = new Error('down');
    world.failSends(error);
    const messages = world.givenMessages(2);
    expect(await world.receiveQuick(messages)).toStrictEqual(messages.map(() => ({ error })));
    expect(await world.parked()).toStrictEqual([]);
  });

  it('takes slot 1 of a quick endpoint, and a message of the slow queue does not', async () => {
    const world = await givenQuick();
    await world.stores.leases.take(world.endpoint);
    expect(await world.receive(world.givenMessage())).toBe('waiting');
    expect(await world.receiveQuick([world.givenMessage()])).toStrictEqual(['succeeded']);
  });

  it('is parked if both slots of a quick endpoint are held', async () => {
    const world = await givenQuick();
    await world.stores.leases.take(world.endpoint);
    await world.stores.leases.take(world.endpoint);
    expect(await world.receiveQuick([world.givenMessage()])).toStrictEqual(['waiting']);
    expect(await world.parked()).toHaveLength(1);
  });

  it('moves to the slow queue after a failure in the same batch', async () => {
    const world = await givenQuick({ receiver: () => ({ status: 500 }) });
    const messages = world.givenMessages(3);
    expect(await world.receiveQuick(messages)).toStrictEqual(['retrying', 'notQuick', 'notQuick']);
    const [first, second, third] = messages;
    expect(world.queued('slow')).toStrictEqual([{ ...first, attempt: 2 }, second, third]);
  });
});

describe('an invocation', () => {
  it('of the quick queue starts no attempt after two seconds: another one continues', async () => {
    const world = await givenQuick({ attemptMs: 900 });
    const messages = world.givenMessages(5);
    expect(await world.receiveQuick(messages)).toStrictEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'waiting',
      'waiting',
    ]);
    expect(await world.parked()).toHaveLength(2);
    expect(world.queued('quick')).toStrictEqual([drainRequestOf(world.endpoint)]);
    expect(world.queued('slow')).toStrictEqual([]);
  });

  it('starts no attempt to an endpoint after one of more than a second', async () => {
    const world = await worldOn(database, { attemptMs: 1_001 });
    expect(await world.deliver(world.givenMessages(3))).toStrictEqual(['succeeded', 'waiting', 'waiting']);
    expect(world.received).toHaveLength(1);
    expect(world.queued('slow')).toStrictEqual([drainRequestOf(world.endpoint)]);
  });

  it('of the quick queue sends parked deliveries of a quick endpoint', async () => {
    const world = await givenQuick();
    const [first, second] = world.givenMessages(2);
    world.during(async () => {
      world.during(undefined);
      await world.stores.leases.take(world.endpoint, { slots: [1] });
      expect(await world.receiveQuick([second!])).toStrictEqual(['waiting']);
    });
    expect(await world.receiveQuick([first!])).toStrictEqual(['succeeded']);
    expect(world.received.map(({ eventId }) => eventId)).toStrictEqual([first!.eventId, second!.eventId]);
    expect(await world.parked()).toStrictEqual([]);
  });

  it.each<[string, EndpointState]>([
    ['fails', { failures: 1 }],
    ['is new', { failures: 0 }],
  ])('of the quick queue moves a request to drain to the slow one if its endpoint %s', async (_, state) => {
    const world = await worldOn(database);
    await world.stores.leases.take(world.endpoint);
    await world.receive(world.givenMessage());
    await world.stores.endpoints.setState(state);
    world.clock.advance(60);
    const request = drainRequestOf(world.endpoint);
    expect(await world.receiveQuick([request])).toStrictEqual(['ended']);
    expect(world.queued('slow')).toStrictEqual([request]);
    expect(world.received).toStrictEqual([]);
  });
});
