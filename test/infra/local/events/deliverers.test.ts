import { expect, it } from 'vitest';
import type { QueuedMessage, StoredDeliveryQueue } from '../../../../infra/local/delivery-queue.ts';
import {
  createDeliverers,
  type Deliver,
  type Deliverers,
} from '../../../../infra/local/events/deliverers.ts';
import type { DeliveryMessage } from '../../../../lib/webhooks/delivery.ts';
import { manualClock } from '../../../support/clock.ts';

const CLAIMED_BY_OTHERS_MS = 60_000;

const queued = (endpointId: string, index: number): QueuedMessage => ({
  id: `${endpointId}#${index}`,
  endpointId,
});

const messageOf = ({ id, endpointId }: QueuedMessage): DeliveryMessage => ({
  endpoint: { storeId: 'store', mode: 'test', endpointId },
  eventId: id,
  type: 'cart.completed',
  recordedAtMs: 0,
  body: '',
  attempt: 1,
});

/** Deliverers on a queue in memory. An attempt lasts until the test ends it. */
const givenDeliverers = (stored: readonly QueuedMessage[] = []) => {
  const clock = manualClock(0);
  const messages = new Map(stored.map((message) => [message.id, message]));
  const takenByOthers = new Set<string>();
  const attempts: { readonly id: string; readonly end: (result?: 'busy' | Error) => void }[] = [];
  const failures: unknown[] = [];
  const queue: Pick<StoredDeliveryQueue, 'list' | 'claim' | 'remove'> = {
    list: async () => [...messages.values()],
    claim: async (seen, _forMs, ofEnded) => {
      if (!messages.has(seen.id)) return { outcome: 'gone' };
      if (takenByOthers.has(seen.id) && !ofEnded) return { outcome: 'taken', untilMs: CLAIMED_BY_OTHERS_MS };
      return { outcome: 'claimed', message: messageOf(seen) };
    },
    remove: async (id) => void messages.delete(id),
  };
  const deliver: Deliver = ({ eventId: id }) =>
    new Promise((settle, reject) => {
      const end = (result: 'busy' | 'done' | Error = 'done'): void =>
        result instanceof Error ? reject(result) : settle(result);
      attempts.push({ id, end });
    });
  const reportFailure = (error: unknown): void => void failures.push(error);
  const deliverers = createDeliverers({ queue, deliver, now: clock.now, reportFailure });
  return { deliverers, clock, messages, takenByOthers, attempts, failures };
};

/** Waits until the deliverers have nothing to do at this time. */
const settled = (): Promise<void> => new Promise((settle) => setImmediate(settle));

const poll = async (deliverers: Deliverers, scope: 'recent' | 'orphans' = 'recent'): Promise<void> => {
  await deliverers.poll(scope);
  await settled();
};

const lots = (endpointId: string, count: number): QueuedMessage[] =>
  Array.from({ length: count }, (_, index) => queued(endpointId, index));

it('an endpoint that hangs has two deliveries in flight, and delays no other endpoint', async () => {
  const others = lots('healthy', 200).map((message, index) => ({
    ...message,
    endpointId: `healthy-${index}`,
  }));
  const { deliverers, attempts } = givenDeliverers([...lots('hangs', 10_000), ...others]);
  await poll(deliverers);
  const ended = new Set<string>();
  const endHealthy = async (): Promise<void> => {
    const started = attempts.filter(({ id }) => id.startsWith('healthy') && !ended.has(id));
    if (started.length === 0) return;
    for (const { id, end } of started) {
      ended.add(id);
      end();
    }
    await settled();
    await endHealthy();
  };
  await endHealthy();
  expect(ended.size).toBe(200);
  expect(attempts.filter(({ id }) => id.startsWith('hangs'))).toHaveLength(2);
});

it('a delivered message is removed, and never delivered again', async () => {
  const { deliverers, attempts, messages } = givenDeliverers([queued('a', 1)]);
  await poll(deliverers);
  attempts[0]?.end();
  await poll(deliverers);
  await poll(deliverers);
  expect([attempts.length, messages.size]).toEqual([1, 0]);
});

it('a message whose attempt could not be recorded returns after 5 s', async () => {
  const { deliverers, clock, attempts, failures } = givenDeliverers([queued('a', 1)]);
  await poll(deliverers);
  const error = new Error('The database does not respond');
  attempts[0]?.end(error);
  await settled();
  clock.advance(4.999);
  await poll(deliverers);
  expect([attempts.length, failures]).toEqual([1, [error]]);
  clock.advance(0.001);
  await poll(deliverers);
  expect(attempts).toHaveLength(2);
});

it('a message of an endpoint that another process uses returns after a second', async () => {
  const { deliverers, clock, attempts, messages } = givenDeliverers([queued('a', 1)]);
  await poll(deliverers);
  attempts[0]?.end('busy');
  await settled();
  clock.advance(1);
  await poll(deliverers);
  expect([attempts.length, messages.size]).toEqual([2, 1]);
});

it('a message of another process is delivered when its claim has ended', async () => {
  const { deliverers, clock, takenByOthers, attempts } = givenDeliverers([queued('a', 1)]);
  takenByOthers.add('a#1');
  await poll(deliverers);
  await poll(deliverers);
  expect(attempts).toEqual([]);
  takenByOthers.clear();
  clock.advance(CLAIMED_BY_OTHERS_MS / 1_000);
  await poll(deliverers);
  expect(attempts).toHaveLength(1);
});

it('a message of an ended process is delivered at once', async () => {
  const { deliverers, takenByOthers, attempts } = givenDeliverers([queued('a', 1)]);
  takenByOthers.add('a#1');
  await poll(deliverers, 'orphans');
  expect(attempts).toHaveLength(1);
});

it('close waits for the running deliveries and starts no other', async () => {
  const { deliverers, attempts, messages } = givenDeliverers(lots('a', 5));
  await poll(deliverers);
  const closed = deliverers.close();
  for (const { end } of attempts) end();
  await closed;
  expect([attempts.length, messages.size]).toEqual([2, 3]);
});
