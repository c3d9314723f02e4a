import type { Denial } from '../../../../lib/deliveries/leases/lease-conditions.ts';
import { createLeases, type Lease, type TakeOptions } from '../../../../lib/deliveries/leases/leases.ts';
import { createEndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import type { StateChange } from '../../../../lib/endpoints/breaker.ts';
import { createEndpointRepository } from '../../../../lib/endpoints/endpoint-repository.ts';
import { manualClock } from '../../../support/clock.ts';
import type { TestDatabase } from '../../../support/database/database.ts';
import { newEndpoint, storeEndpoint } from '../../../support/domain/endpoints.ts';

export const succeeded = (atMs: number, isQuick = true): StateChange => ({
  outcome: 'succeeded',
  atMs,
  isQuick,
});
export const failedAt = (atMs: number, probeAtMs = atMs): StateChange => ({
  outcome: 'failed',
  atMs,
  probeAtMs,
});

/** Why a lease was not granted. Fails if it was. */
const outcomeOf = (taken: Lease | Denial): Denial['outcome'] => {
  if ('outcome' in taken) return taken.outcome;
  throw new Error(`Slot ${taken.slot} is granted`);
};

/** An endpoint with its leases, on the tables of a test. */
export const givenLeasedEndpoint = async (database: TestDatabase) => {
  const { documents, tableNames } = database;
  const clock = manualClock();
  const endpoint = newEndpoint({ mode: 'live', label: 'shop' });
  const endpoints = createEndpointRepository(documents, tableNames.webhookEndpoints);
  await storeEndpoint(database, endpoint);
  const leases = createLeases(documents, tableNames.webhookEndpoints, clock.now);
  const take = (options?: TakeOptions) => leases.take(endpoint, options);
  const leased = async (options?: TakeOptions): Promise<Lease> => {
    const taken = await take(options);
    if ('outcome' in taken) throw new Error(`The lease is ${taken.outcome}`);
    return taken;
  };
  return {
    endpoint,
    clock,
    endpoints,
    leases,
    take,
    leased,
    timers: createEndpointTimers(documents, tableNames.webhookEndpoints),
    state: async () => (await endpoints.find(endpoint))?.state,
    rejected: async (options?: TakeOptions) => outcomeOf(await take(options)),
    /** Takes a lease and succeeds, so that slot 1 can be granted. */
    succeed: async () => leases.release(await leased(), succeeded(clock.now())),
    /** Takes a lease and fails. */
    fail: async (change: Partial<StateChange> = {}) =>
      leases.release(await leased({ purpose: 'test' }), {
        ...failedAt(clock.now(), clock.now() + 60_000),
        ...change,
      } as StateChange),
  };
};

/** An endpoint whose breaker is open, and its probe due. */
export const givenOpenEndpoint = async (database: TestDatabase) => {
  const given = await givenLeasedEndpoint(database);
  for (let failures = 0; failures < 5; failures += 1) await given.fail();
  given.clock.advance(60);
  return given;
};
