import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { createLeases, type Lease } from '../../../lib/deliveries/leases/leases.ts';
import { createEndpointTimers } from '../../../lib/deliveries/parking/endpoint-timers.ts';
import { createProbeJob } from '../../../lib/deliveries/parking/probe-job.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createSendIntervals } from '../../../lib/endpoints/send-intervals.ts';
import { runJob } from '../../../lib/timers/run-job.ts';
import { NOW_MS } from '../../support/clock.ts';
import {
  aroundCalls,
  conflictFirst,
  newConflict,
  overlapFirstTransaction,
} from '../../support/database/client-calls.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { newEndpoint, endpointChangesOf, storeEndpoint } from '../../support/domain/endpoints.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { NEVER } from '../../support/signals.ts';
import { failedAt } from './support/leased-endpoint.ts';

const database = await givenDatabase();
const { tableNames } = database;
const endpoints = createEndpointRepository(database.documents, tableNames.webhookEndpoints);
const now = () => NOW_MS;

/** A process that writes an endpoint, and whose client a test disturbs. */
const given = async (conflicts: number, own: TestDatabase = database) => {
  const endpoint = newEndpoint();
  await storeEndpoint(own, endpoint);
  const documents = own.newClient();
  const endpointTimers = createEndpointTimers(documents, own.tableNames.webhookEndpoints);
  conflictFirst(documents, 'UpdateItem', conflicts);
  return { endpoint, documents, endpointTimers };
};

describe('a write of an endpoint beside a rotation of its secret', () => {
  it('notes a parked delivery, once', async () => {
    const { endpoint, endpointTimers } = await given(2);
    expect(await endpointTimers.notePark(endpoint, NOW_MS)).toMatchObject({ state: { parks: 1 } });
  });

  it('is an outage if the other writers always come first', async () => {
    const { endpoint, endpointTimers } = await given(Infinity);
    await expect(endpointTimers.notePark(endpoint, NOW_MS)).rejects.toBeInstanceOf(UnavailableError);
    expect(await endpoints.find(endpoint)).toMatchObject({ state: { parks: undefined } });
  });

  it('leaves a probe due for the next run', async () => {
    // A run finds the parked deliveries of all endpoints.
    const { endpoint, documents, endpointTimers } = await given(0, await givenDatabase());
    await endpointTimers.notePark(endpoint, NOW_MS);
    conflictFirst(documents, 'UpdateItem', 1);
    const drains: unknown[] = [];
    const queue = { send: async (batch: readonly unknown[]) => void drains.push(...batch) };
    const job = createProbeJob('test', { endpointTimers, queue, now });
    const run = () => runJob(job, now, NEVER);

    await logged(async () => expect(await run()).toMatchObject({ failed: 0, isComplete: false }));
    expect(drains).toStrictEqual([]);

    expect(await run()).toMatchObject({ failed: 0, isComplete: true });
    expect(drains).toContainEqual(expect.objectContaining({ drains: true }));
  });

  it('sends no test event, and the next request does', async () => {
    const { endpoint, documents } = await given(1);
    const sendIntervals = createSendIntervals(documents, tableNames.webhookEndpoints);
    await expect(sendIntervals.begin(endpoint, 'test', NOW_MS)).rejects.toThrow(newConflict());
    expect(await sendIntervals.begin(endpoint, 'test', NOW_MS)).toBe(true);
  });
});

it('an endpoint that the SDK creates twice, because the first attempt still runs, exists once', async () => {
  const documents = database.newClient();
  overlapFirstTransaction(documents);
  const endpointChanges = endpointChangesOf({ documents, tableNames });
  const endpoint = newEndpoint();

  await expect(endpointChanges.create(endpoint)).rejects.toMatchObject({
    name: 'TransactionInProgressException',
  });

  expect(await endpointChanges.create(endpoint)).toStrictEqual({ outcome: 'taken' });
  expect(await endpoints.listOf(endpoint)).toHaveLength(1);
});

it('a result counts once, if another attempt takes the slot before the SDK repeats the release', async () => {
  const { endpoint, documents } = await given(0);
  const leases = createLeases(documents, tableNames.webhookEndpoints, now);
  const others = createLeases(database.documents, tableNames.webhookEndpoints, now);
  const lease = (await leases.take(endpoint)) as Lease;
  aroundCalls(documents, async ({ input }, next) => {
    await next(input);
    await others.take(endpoint);
    return next(input).catch((error: ConditionalCheckFailedException) => {
      error.$metadata.attempts = 2;
      throw error;
    });
  });

  expect(await leases.release(lease, failedAt(NOW_MS))).toMatchObject({ isStored: true });

  expect(await endpoints.find(endpoint)).toMatchObject({
    state: { failures: 1, lease0UntilMs: NOW_MS + 15_000 },
  });
});
