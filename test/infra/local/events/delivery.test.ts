import { beforeEach, expect, it } from 'vitest';
import { createDeliveryQueue } from '../../../../infra/local/delivery-queue.ts';
import { createDeliverers } from '../../../../infra/local/events/deliverers.ts';
import { createDelivery } from '../../../../infra/local/events/delivery.ts';
import { createDueStore } from '../../../../lib/due/due-store.ts';
import { FAILURES_OPEN, stateChangeOf } from '../../../../lib/webhooks/breaker.ts';
import type { DeliveryMessage } from '../../../../lib/webhooks/delivery.ts';
import { createEndpointStore } from '../../../../lib/webhooks/endpoint-store.ts';
import { type EndpointRef, generateEndpointId } from '../../../../lib/webhooks/endpoint.ts';
import { createLeases } from '../../../../lib/webhooks/leases.ts';
import { createSecretStore } from '../../../../lib/webhooks/secret-store.ts';
import { manualClock, NOW_MS } from '../../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../../support/database.ts';
import { beforeCalls } from '../../../support/documents.ts';

const WAITING = 20;
const POLLS = 3;
const MESSAGES_PER_POLL = 2;

/** A query for each poll. For each message: claim, lease, park, read the endpoint, wake up, remove; once, the secret. */
const CALLS_MAX = POLLS * (1 + MESSAGES_PER_POLL * 6) + MESSAGES_PER_POLL;

let database: TestDatabase;
let endpoint: EndpointRef;

beforeEach(async () => {
  database = await givenDatabase();
  const { documents, tableNames } = database;
  endpoint = { storeId: 'store', mode: 'test', endpointId: generateEndpointId() };
  await createSecretStore(documents, tableNames.webhookSecrets, () => NOW_MS).create(endpoint.endpointId);
  const url = 'http://127.0.0.1:9/hook';
  await endpoints().create({ ...endpoint, url, createdAtMs: NOW_MS });
});

const endpoints = () => createEndpointStore(database.documents, database.tableNames.webhookEndpoints);

const openBreaker = async (): Promise<void> => {
  const leases = createLeases(database.documents, database.tableNames.webhookEndpoints, () => NOW_MS);
  for (let failures = 0; failures < FAILURES_OPEN; failures += 1) {
    const taken = await leases.take(endpoint, 'evt_0');
    if (taken.outcome !== 'leased') throw new Error(taken.outcome);
    await leases.release(taken.lease, stateChangeOf(taken.lease.endpoint.state, 500, NOW_MS));
  }
};

const messageOf = (sequence: number): DeliveryMessage => ({
  endpoint,
  eventId: `evt_${sequence}`,
  type: 'cart.completed',
  recordedAtMs: NOW_MS + sequence,
  body: '{}',
  attempt: 1,
  sequence,
});

const countCalls = (): (() => number) => {
  let calls = 0;
  beforeCalls(database.documents, () => {
    calls += 1;
  });
  return () => calls;
};

/** The local stage's deliverers on the database. */
const givenDeliverers = () => {
  const { documents, tableNames } = database;
  const { now } = manualClock();
  const queue = createDeliveryQueue(documents, tableNames.due, now);
  const due = createDueStore(documents, tableNames.due, now);
  const bus = { put: async (): Promise<void> => undefined };
  const { deliver } = createDelivery({ documents, tableNames, queue, due, bus, now });
  let removed = 0;
  const remove = async (id: string): Promise<void> => {
    await queue.remove(id);
    removed += 1;
  };
  const reportFailure = (error: unknown): never => {
    throw error;
  };
  const deliverers = createDeliverers({ queue: { ...queue, remove }, deliver, now, reportFailure });
  return { deliverers, queue, removed: () => removed };
};

it.each([
  ['has an open breaker', openBreaker],
  ['is disabled', () => endpoints().update(endpoint, { disabled: { atMs: NOW_MS, reason: 'operator' } })],
  ['is removed', () => endpoints().remove(endpoint)],
])(
  'two messages of an endpoint that %s are handled in each poll, with six calls each',
  async (_, prepare) => {
    await prepare();
    const { deliverers, queue, removed } = givenDeliverers();
    await queue.send(Array.from({ length: WAITING }, (_message, sequence) => messageOf(sequence)));
    const calls = countCalls();
    for (let polls = 1; polls <= POLLS; polls += 1) {
      await deliverers.poll('all');
      await expect.poll(removed, { interval: 5 }).toBeGreaterThanOrEqual(MESSAGES_PER_POLL * polls);
    }
    await deliverers.close();
    expect(removed()).toBe(MESSAGES_PER_POLL * POLLS);
    expect(calls()).toBeLessThanOrEqual(CALLS_MAX);
  },
);
