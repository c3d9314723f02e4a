import { expect, test } from 'vitest';
import { fromStoreItem } from '../../../lib/stores/store-repository.ts';

test.each(['id', 'name', 'createdAtMs'])('a store whose %s somebody removed by hand is not read', (field) => {
  const store = { id: 'store-1', name: 'Shop', createdAtMs: 0 };
  expect(fromStoreItem({ ...store, later: true })).toStrictEqual(store);
  expect(() => fromStoreItem({ ...store, [field]: undefined })).toThrow(
    `A stored store has no valid ${field}`,
  );
});
