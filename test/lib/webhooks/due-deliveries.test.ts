import { describe, expect, it } from 'vitest';
import type { DueEntry } from '../../../lib/due/due-entry.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { type DueDeliveryDependencies, handleDueDelivery } from '../../../lib/webhooks/due-deliveries.ts';
import { isParkable } from '../../../lib/webhooks/parked-deliveries.ts';
import { NOW_MS } from '../../support/clock.ts';
import { createMemoryStores } from './memory-stores.ts';
import { givenWorld } from './world.ts';

const given = async (parkedCount: number, changes: Partial<DueDeliveryDependencies> = {}) => {
  const world = await givenWorld(createMemoryStores);
  const messages = world.givenMessages(parkedCount);
  await world.stores.parked.park(messages.filter(isParkable));
  const sent: { readonly message: DeliveryMessage; readonly delaySeconds: number }[] = [];
  const { storeId, mode, endpointId } = world.endpoint;
  const endpoint = { storeId, mode, endpointId };
  const bySequence = new Map(messages.map((message) => [message.sequence, message]));
  const dependencies: DueDeliveryDependencies = {
    ...world.stores,
    now: world.clock.now,
    async findEvent(log, sequence) {
      const message = bySequence.get(sequence);
      if (!message) return undefined;
      const { eventId: id, recordedAtMs, body } = message;
      return { ...log, sequence, id, type: 'cart.completed', cartId: 'c', recordedAtMs, body };
    },
    queue: {
      async send(batch, delaySeconds = 0) {
        sent.push(...batch.map((message) => ({ message, delaySeconds })));
      },
    },
    ...changes,
  };
  return {
    world,
    messages,
    endpoint,
    sent,
    handle: (entry: Exclude<DueEntry, { kind: 'expiry' }>) => handleDueDelivery(entry, dependencies),
  };
};

describe('a drain', () => {
  it('sends ten parked deliveries a second, 600 at most, the oldest first, and continues in the next minute', async () => {
    const { world, messages, endpoint, sent, handle } = await given(605);
    await handle({ kind: 'drain', endpoint });
    expect(sent.map(({ message }) => message)).toStrictEqual(messages.slice(0, 600));
    expect(sent.map(({ delaySeconds }) => delaySeconds)).toStrictEqual(
      Array.from({ length: 600 }, (_, index) => Math.floor(index / 10)),
    );
    expect(await world.parked()).toHaveLength(5);
    expect(await world.dueEntries()).toMatchObject([
      { dueAtMs: NOW_MS + 60_000, entry: { kind: 'drain', endpoint } },
    ]);
    await handle({ kind: 'drain', endpoint });
    expect(await world.parked()).toStrictEqual([]);
  });

  it('drops a parked delivery whose event is no longer kept', async () => {
    const { world, messages, endpoint, sent, handle } = await given(1);
    const [message] = messages;
    await world.stores.parked.park([{ ...message!, eventId: 'evt_old', sequence: 1 }]);
    await handle({ kind: 'drain', endpoint });
    expect(sent.map((each) => each.message)).toStrictEqual([message]);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('of an endpoint whose breaker is open sends nothing but the next probe', async () => {
    const { world, messages, endpoint, sent, handle } = await given(3);
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS });
    await handle({ kind: 'drain', endpoint });
    expect(sent).toStrictEqual([{ message: messages[0], delaySeconds: 0 }]);
    expect(await world.parked()).toHaveLength(2);
  });
});

describe('a probe', () => {
  it.each([
    ['disabled', { disabled: { atMs: NOW_MS, reason: 'operator' } }],
    ['removed', undefined],
  ] as const)('of an endpoint that is %s sends all deliveries at once, to be dropped', async (_, found) => {
    const { world, messages, endpoint, sent, handle } = await given(3, {
      endpoints: {
        get: async () =>
          found && { ...world.endpoint, ...found, state: { failures: 9, probeAtMs: NOW_MS + 600_000 } },
      },
    });
    await handle({ kind: 'probe', endpoint });
    expect(sent.map(({ message }) => message)).toStrictEqual(messages);
    expect(await world.parked()).toStrictEqual([]);
  });

  it('of an endpoint that works again sends nothing: a drain follows in a minute, which no other one doubles', async () => {
    const { world, endpoint, sent, handle } = await given(3);
    await handle({ kind: 'probe', endpoint });
    await handle({ kind: 'probe', endpoint });
    expect(sent).toStrictEqual([]);
    expect(await world.dueEntries()).toMatchObject([{ dueAtMs: NOW_MS + 60_000, entry: { kind: 'drain' } }]);
  });

  it('before its time waits for it', async () => {
    const { world, endpoint, sent, handle } = await given(3);
    const probeAtMs = NOW_MS + 10 * 60_000;
    await world.stores.endpoints.setState({ failures: 9, probeAtMs });
    await handle({ kind: 'probe', endpoint });
    expect(sent).toStrictEqual([]);
    expect(await world.dueEntries()).toMatchObject([{ dueAtMs: probeAtMs, entry: { kind: 'probe' } }]);
  });

  it('without parked deliveries sends nothing, and schedules no other probe', async () => {
    const { world, endpoint, sent, handle } = await given(0);
    await world.stores.endpoints.setState({ failures: 5, probeAtMs: NOW_MS });
    await handle({ kind: 'probe', endpoint });
    expect(sent).toStrictEqual([]);
    expect(await world.dueEntries()).toStrictEqual([]);
  });
});

describe('an attempt', () => {
  it.each([
    [-5_000, 0],
    [0, 0],
    [1, 1],
    [59_001, 60],
    [undefined, 0],
  ])('whose time is in %s ms is sent with a delay of %i s', async (inMs, delaySeconds) => {
    const { messages, endpoint, sent, handle } = await given(1);
    const [message] = messages;
    const atMs = inMs === undefined ? undefined : NOW_MS + inMs;
    await handle({ kind: 'attempt', endpoint, sequence: message!.sequence!, attempt: 7, atMs });
    expect(sent).toStrictEqual([{ message: { ...message, attempt: 7 }, delaySeconds }]);
  });

  it('of an event that is no longer kept is not sent', async () => {
    const { endpoint, sent, handle } = await given(1);
    await handle({ kind: 'attempt', endpoint, sequence: 1, attempt: 2 });
    expect(sent).toStrictEqual([]);
  });
});
