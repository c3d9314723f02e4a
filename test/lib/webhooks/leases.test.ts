import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import type { StateChange } from '../../../lib/webhooks/breaker.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { createLeases, type Lease, type LeaseResult } from '../../../lib/webhooks/leases.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { aroundCalls, mockDocuments } from '../../support/documents.ts';
import { dropEndpoint, newEndpoint, storeEndpoint } from '../../support/endpoints.ts';

const database = await givenDatabase();
/** Events that try slot 0, or slot 1, first. */
const EVENTS = ['evt_0', 'evt_1'] as const;

const givenEndpoint = async () => {
  const { documents, tableNames } = database;
  const clock = manualClock();
  const endpoint = newEndpoint({ mode: 'live', label: 'shop' });
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  await storeEndpoint(database, endpoint);
  const leases = createLeases(documents, tableNames.webhookEndpoints, clock.now);
  const take = (event: string, ignoresBreaker = false): Promise<LeaseResult> =>
    leases.take(endpoint, event, ignoresBreaker);
  const leased = async (event: string): Promise<Lease> => {
    const result = await take(event);
    if (result.outcome !== 'leased') throw new Error(`The lease is ${result.outcome}`);
    return result.lease;
  };
  return {
    endpoint,
    clock,
    endpoints,
    leases,
    take,
    leased,
    state: async () => (await endpoints.get(endpoint))?.state,
    /** Takes a lease and fails. */
    async fail(change: Partial<StateChange> = {}): Promise<void> {
      const probeAtMs = clock.now() + 60_000;
      const failed = { outcome: 'failed', atMs: clock.now(), probeAtMs, ...change } as StateChange;
      await leases.release(await leased(EVENTS[0]), failed);
    },
  };
};

const succeeded = (atMs: number): StateChange => ({ outcome: 'succeeded', atMs });

describe('the leases of an endpoint', () => {
  it('are two at a time, whatever the slot that an event tries first, and show the endpoint', async () => {
    for (const event of EVENTS) {
      const { take, endpoint } = await givenEndpoint();
      expect(await take(event)).toMatchObject({
        outcome: 'leased',
        lease: { endpoint: { ...endpoint, state: { failures: 0 } } },
      });
      expect(await take(event)).toMatchObject({ outcome: 'leased' });
      expect(await take(event)).toStrictEqual({ outcome: 'busy' });
      expect(await take(event, true)).toStrictEqual({ outcome: 'busy' });
    }
  });

  it('are two at a time with twenty takers at once', async () => {
    const { take } = await givenEndpoint();
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => take(`evt_${index}`)));
    expect(results.filter(({ outcome }) => outcome === 'leased')).toHaveLength(2);
    expect(results.filter(({ outcome }) => outcome === 'busy')).toHaveLength(18);
  });

  it('end when they are released, or after 15 s', async () => {
    const { take, leased, leases, clock } = await givenEndpoint();
    const first = await leased(EVENTS[0]);
    await leased(EVENTS[0]);
    await leases.release(first, succeeded(NOW_MS));
    await leased(EVENTS[0]);
    clock.advance(14.999);
    expect(await take(EVENTS[0])).toStrictEqual({ outcome: 'busy' });
    clock.advance(0.001);
    await leased(EVENTS[0]);
    await leased(EVENTS[0]);
    expect(await take(EVENTS[0])).toStrictEqual({ outcome: 'busy' });
  });

  it('that have expired do not release the slot of another, and their result still counts', async () => {
    const { take, leased, leases, clock, state } = await givenEndpoint();
    const late = await leased(EVENTS[0]);
    clock.advance(15);
    await Promise.all([leased(EVENTS[0]), leased(EVENTS[1])]);
    await leases.release(late, { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS });
    expect(await take(EVENTS[0])).toStrictEqual({ outcome: 'busy' });
    expect(await state()).toMatchObject({ failures: 1 });
  });

  it('count a result once, if a release is repeated because its response was lost', async () => {
    const { leased, leases, state } = await givenEndpoint();
    const lease = await leased(EVENTS[0]);
    const failed: StateChange = { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS };
    await leases.release(lease, failed);
    await leases.release(lease, failed);
    expect(await state()).toMatchObject({ failures: 1 });
  });

  it('are released although a rotation of the secret writes the endpoint at the same time', async () => {
    const { endpoint, clock, state } = await givenEndpoint();
    const documents = createDocumentClient(localClientConfig(database.endpoint));
    const leases = createLeases(documents, database.tableNames.webhookEndpoints, clock.now);
    const taken = [await leases.take(endpoint, EVENTS[0]), await leases.take(endpoint, EVENTS[1])];
    const [first] = taken.flatMap((each) => (each.outcome === 'leased' ? each.lease : []));
    let conflicts = 2;
    aroundCalls(documents, ({ input }, next) => {
      conflicts -= 1;
      const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
      return conflicts >= 0 ? Promise.reject(conflict) : next(input);
    });
    await leases.release(first!, { outcome: 'failed', atMs: NOW_MS, probeAtMs: NOW_MS });
    expect(await state()).toMatchObject({ failures: 1 });
    expect(await leases.take(endpoint, EVENTS[0])).toMatchObject({ outcome: 'leased' });
  });

  it('are not granted for a removed endpoint, and a release does not restore it', async () => {
    const { take, leased, leases, endpoint, endpoints } = await givenEndpoint();
    const lease = await leased(EVENTS[0]);
    await dropEndpoint(database, endpoint);
    await leases.release(lease, succeeded(NOW_MS));
    expect(await take(EVENTS[0])).toStrictEqual({ outcome: 'removed' });
    expect(await endpoints.get(endpoint)).toBeUndefined();
  });

  it.each([
    [
      'while DynamoDB throttles the endpoint for its many messages',
      {
        name: 'ThrottlingException',
        throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
      },
    ],
    ['while a rotation of its secret writes the endpoint', { name: 'TransactionConflictException' }],
  ])('are not granted %s', async (_, fields) => {
    const documents = createDocumentClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
    const rejection = Object.assign(new Error('rejected'), fields);
    mockDocuments(documents).on(UpdateCommand).rejectsOnce(rejection).rejects(new Error('down'));
    const leases = createLeases(documents, 'endpoints', manualClock().now);
    const { endpoint } = await givenEndpoint();
    expect(await leases.take(endpoint, 'evt_0')).toStrictEqual({ outcome: 'busy' });
    await expect(leases.take(endpoint, 'evt_0')).rejects.toThrow('down');
  });
});

describe('the state of an endpoint', () => {
  it('counts failures in a row, since the first of them, and a success ends them', async () => {
    const { fail, clock, state, leases, leased } = await givenEndpoint();
    await fail();
    clock.advance(60);
    await fail();
    expect(await state()).toStrictEqual({
      failures: 2,
      failingSinceMs: NOW_MS,
      probeAtMs: NOW_MS + 120_000,
      lastSuccessAtMs: undefined,
      parkedAtMs: undefined,
    });
    await leases.release(await leased(EVENTS[0]), succeeded(clock.now()));
    expect(await state()).toStrictEqual({
      failures: 0,
      failingSinceMs: undefined,
      probeAtMs: undefined,
      lastSuccessAtMs: clock.now(),
      parkedAtMs: undefined,
    });
  });

  it('with five failures opens the breaker: after the time of the probe, one lease at a time', async () => {
    for (const event of EVENTS) {
      const { fail, take, clock } = await givenEndpoint();
      for (let failures = 0; failures < 4; failures += 1) await fail();
      expect(await take(event)).toMatchObject({ outcome: 'leased' });
      clock.advance(15);
      await fail();
      expect(await take(event)).toStrictEqual({ outcome: 'open' });
      clock.advance(59.999);
      expect(await take(event)).toStrictEqual({ outcome: 'open' });
      clock.advance(0.001);
      expect(await take(event)).toMatchObject({ outcome: 'leased', lease: { slot: 0 } });
      expect(await take(event)).toStrictEqual({ outcome: 'open' });
      // A ping does not wait.
      expect(await take(event, true)).toMatchObject({ outcome: 'leased', lease: { slot: 1 } });
    }
  });

  it('that is disabled grants no lease, and keeps its first reason', async () => {
    const { fail, take, endpoint, endpoints, leased, leases } = await givenEndpoint();
    const late = await leased(EVENTS[1]);
    await fail({ disabled: { atMs: NOW_MS, reason: 'gone' } });
    await leases.release(late, {
      outcome: 'failed',
      atMs: NOW_MS,
      probeAtMs: NOW_MS,
      disabled: { atMs: NOW_MS + 1, reason: 'failing' },
    });
    expect((await endpoints.get(endpoint))?.disabled).toStrictEqual({ atMs: NOW_MS, reason: 'gone' });
    expect(await take(EVENTS[0])).toStrictEqual({ outcome: 'disabled' });
    expect(await take(EVENTS[0], true)).toStrictEqual({ outcome: 'disabled' });
  });
});
