import { describe, expect, it } from 'vitest';
import type { StateChange } from '../../../lib/endpoints/breaker.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { endpointChangesOf } from '../../support/domain/endpoints.ts';
import { worldOn } from './support/database-repositories.ts';
import { failedAt, givenLeasedEndpoint, givenOpenEndpoint, succeeded } from './support/leased-endpoint.ts';

const database = await givenDatabase();
const endpointChanges = endpointChangesOf(database);

it('the tenth attempt is the last, unless the address changes meanwhile: an eleventh goes to the new one', async () => {
  const world = await worldOn(database, { receiver: () => ({ status: 500 }) });
  const last = { ...world.givenMessage(), attempt: 10 };
  const other = { ...world.givenMessage(), attempt: 10 };
  expect(await world.receive(last)).toBe('failed');
  world.during(async () => {
    world.during(undefined);
    await endpointChanges.update(world.endpoint, { url: 'https://shop.example/new' });
  });
  expect(await world.receive(other)).toBe('retrying');
  expect(world.waiting().map(({ message }) => message)).toStrictEqual([{ ...other, attempt: 11 }]);
  expect(await world.receive({ ...other, attempt: 11 })).toBe('failed');
});

describe('a new address', () => {
  it('frees no slot, and ends the right to two requests at a time', async () => {
    const { leased, rejected, succeed, endpoint } = await givenLeasedEndpoint(database);
    await succeed();
    await leased();
    await endpointChanges.update(endpoint, { url: 'https://shop.example/new' });
    expect(await rejected()).toBe('waiting');
  });

  it.each([
    ['success', succeeded(NOW_MS)],
    ['failure', failedAt(NOW_MS)],
    [
      '410',
      { ...failedAt(NOW_MS), disabled: { atMs: NOW_MS, reason: 'gone', isUnreported: true } } as StateChange,
    ],
  ])('is not affected by a %s of the old one, which frees its slot', async (_, change) => {
    const { fail, leased, leases, endpoint, endpoints } = await givenLeasedEndpoint(database);
    await fail();
    const old = await leased();
    await endpointChanges.update(endpoint, { url: 'https://shop.example/new' });
    const before = await endpoints.find(endpoint);
    expect(await leases.release(old, change)).toMatchObject({ isStored: false });
    const { state, disabled } = (await endpoints.find(endpoint))!;
    expect(state).toStrictEqual({ ...before?.state, lease0UntilMs: undefined });
    expect(disabled).toBeUndefined();
    expect((await leased()).endpoint).toMatchObject({ url: 'https://shop.example/new' });
  });

  it.each([{ url: 'https://shop.example/new' }, { disabled: null }])(
    'or enabling it again lets one probe through at once: %o',
    async (changes) => {
      const { endpoint, leased, rejected, leases, clock, fail, state } = await givenOpenEndpoint(database);
      await fail();
      expect(await rejected()).toBe('waiting');
      await endpointChanges.update(endpoint, changes);
      expect(await state()).toMatchObject({ failures: 6, failingSinceMs: undefined, probeAtMs: undefined });
      const probe = await leased();
      expect(await rejected()).toBe('waiting');
      await leases.release(probe, failedAt(clock.now(), clock.now() + 60_000));
      expect(await rejected()).toBe('waiting');
    },
  );
});
