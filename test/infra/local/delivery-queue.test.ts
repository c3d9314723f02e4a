import { beforeEach, describe, expect, it } from 'vitest';
import {
  createDeliveryQueue,
  type QueuedMessage,
  type StoredDeliveryQueue,
} from '../../../infra/local/delivery-queue.ts';
import type { DeliveryMessage } from '../../../lib/webhooks/delivery.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';

const START_MS = Date.UTC(2026, 10, 22);
const CLAIM_MS = 60_000;

let clock: ManualClock;
let queue: StoredDeliveryQueue;
/** The queue of another process on the same database. */
let otherProcess: StoredDeliveryQueue;
let noticed: QueuedMessage[];

beforeEach(async () => {
  const { documents, tableNames } = await givenDatabase();
  clock = manualClock(START_MS);
  noticed = [];
  queue = createDeliveryQueue(documents, tableNames.due, clock.now, (messages) => noticed.push(...messages));
  otherProcess = createDeliveryQueue(documents, tableNames.due, clock.now);
});

const message = (eventId: string, endpointId = 'we_1'): DeliveryMessage => ({
  endpoint: { storeId: 'store', mode: 'test', endpointId },
  eventId,
  type: 'cart.completed',
  recordedAtMs: START_MS,
  body: `{"id":"${eventId}"}`,
  attempt: 1,
});

const visible = () => queue.list({ fromMs: 0, toMs: clock.now() });

const onlyVisible = async (): Promise<QueuedMessage> => {
  const [first, ...others] = await visible();
  if (!first || others.length > 0) throw new Error('Expected one visible message');
  return first;
};

describe('a message', () => {
  it('is visible to every process, and noticed at once by its own', async () => {
    await otherProcess.send([message('evt_1'), message('evt_1', 'we_2')]);
    expect(noticed).toEqual([]);
    expect((await visible()).map(({ endpointId }) => endpointId)).toEqual(['we_1', 'we_2']);

    await queue.send([message('evt_2')]);
    expect(noticed).toEqual((await visible()).filter(({ id }) => id.endsWith('evt_2')));
    expect(noticed).toHaveLength(1);
  });

  it('is invisible until its delay is over', async () => {
    await queue.send([message('evt_1')], 5);
    expect(noticed).toEqual([]);
    clock.advance(4.999);
    expect(await visible()).toEqual([]);
    clock.advance(0.001);
    expect(await queue.claim(await onlyVisible(), CLAIM_MS)).toEqual({
      outcome: 'claimed',
      message: message('evt_1'),
    });
  });

  it('belongs to one process at a time, and returns if no process removes it', async () => {
    await queue.send([message('evt_1')]);
    const seen = await onlyVisible();
    expect((await queue.claim(seen, CLAIM_MS)).outcome).toBe('claimed');
    expect(await otherProcess.claim(seen, CLAIM_MS)).toEqual({
      outcome: 'taken',
      untilMs: START_MS + CLAIM_MS,
    });
    clock.advance(CLAIM_MS / 1_000);
    expect((await otherProcess.claim(seen, CLAIM_MS)).outcome).toBe('claimed');
  });

  it('is free at once if the process that claimed it has ended', async () => {
    await queue.send([message('evt_1')]);
    await otherProcess.claim(await onlyVisible(), CLAIM_MS);
    expect((await queue.claim(await onlyVisible(), CLAIM_MS, true)).outcome).toBe('claimed');
  });

  it('is gone after its removal', async () => {
    await queue.send([message('evt_1')]);
    const seen = await onlyVisible();
    await queue.remove(seen.id);
    expect(await queue.claim(seen, CLAIM_MS)).toEqual({ outcome: 'gone' });
    expect(await visible()).toEqual([]);
  });
});

it('a send stores more messages than fit into a batch', async () => {
  await queue.send(Array.from({ length: 60 }, (_, index) => message(`evt_${index}`)));
  expect(await visible()).toHaveLength(60);
});
