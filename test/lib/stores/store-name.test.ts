import { expect, it, vi } from 'vitest';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { rememberStoreNames } from '../../../lib/stores/store-name.ts';
import { manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database/database.ts';

it('a new name of a store appears after a minute, until which the name is read once', async () => {
  const { documents, tableNames } = await givenDatabase();
  const stores = createOperatorStoreRepository(documents, tableNames.stores);
  const clock = manualClock();
  const find = vi.spyOn(stores, 'find');
  const nameOf = rememberStoreNames(stores, clock.now);
  const rename = (name: string) => stores.put({ id: 'store-1', name, createdAtMs: clock.now() });

  await rename('Old name');
  expect(await nameOf('store-1')).toBe('Old name');
  await rename('New name');
  clock.advance(59.999);
  expect(await nameOf('store-1')).toBe('Old name');
  expect(find).toHaveBeenCalledTimes(1);
  clock.advance(0.001);
  expect(await nameOf('store-1')).toBe('New name');
});
