import { afterAll, describe, expect, test } from 'vitest';
import { CANARY_STORE_ID } from '../../../../lib/canary/canary-store.ts';
import { createOperatorStoreRepository } from '../../../../lib/operators/operator-store-repository.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

interface StoreLine {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

const stage = await givenOperatedService();

afterAll(stage.close);

const findStore = async (id: string): Promise<StoreLine | undefined> => {
  const { stores } = await stage.runJson<{ stores: StoreLine[] }>('stores', 'list');
  return stores.find((store) => store.id === id);
};

describe('stores put', () => {
  test('stores a store, and renames it without a change of its time of creation', async () => {
    const first = await stage.runJson('stores', 'put', 'named', '--name', 'First name');
    stage.clock.advance(60);
    const second = await stage.runJson('stores', 'put', 'named', '--name', 'Second name');

    expect(second).toStrictEqual({ ...first, name: 'Second name' });
    expect(await findStore('named')).toStrictEqual(second);
  });

  test.each([
    ['only spaces', '   '],
    ['blank characters', '\u2800\u200b'],
    ['a control character', 'Shop\u0007'],
    ['a direction mark', 'Shop\u202e'],
    ['101 characters', 'n'.repeat(101)],
    ['no characters', ''],
  ])('rejects a name of %s', async (_what, name) => {
    const { exitCode, stderr } = await stage.run(['stores', 'put', 'unnamed', '--name', name]);

    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 2,
      stderr: expect.stringContaining('1 to 100 printable characters') as string,
    });
    expect(await findStore('unnamed')).toBeUndefined();
  });

  test('accepts a name of 100 characters outside of the Basic Multilingual Plane', async () => {
    const name = '🛒'.repeat(100);

    expect(await stage.runJson('stores', 'put', 'wide', '--name', name)).toMatchObject({ name });
  });

  test("rejects the canary's store", async () => {
    expect(await stage.run(['stores', 'put', CANARY_STORE_ID, '--name', 'Canary'])).toMatchObject({
      exitCode: 2,
    });
  });
});

describe('keys issue', () => {
  test('does not change the record of its store', async () => {
    const store = await stage.runJson('stores', 'put', 'old-store', '--name', 'Old Store');
    await stage.runJson('keys', 'issue', '--store', 'old-store');

    expect(await findStore('old-store')).toStrictEqual(store);
  });
});

const PRICE = ['--name', 'Course', '--currency', 'EUR', '--price', '5'];
const ENDPOINT = ['--mode', 'test', '--url', 'https://shop.example/hook'];

describe.each<[string, string[]]>([
  ['keys issue', []],
  ['keys list', []],
  ['products put a-course', PRICE],
  ['products list', []],
  ['carts list', []],
  ['stats', ['--since', '2026-01-01T00:00:00Z']],
  ['webhooks create', ENDPOINT],
  ['webhooks list', []],
])('%s', (command, flags) => {
  const run = (store: string) => stage.run([...command.split(' '), '--store', store, ...flags]);

  test('rejects an unknown store, suggests the nearest one, and adds none', async () => {
    await stage.givenStore('corner-shop');

    expectFailure(await run('Corner_shp'), 1, /^There is no store Corner_shp: did you mean corner-shop\?\n$/);
    expectFailure(await run('unheard-of'), 1, /^There is no store unheard-of: .*stores list.*stores put/);
    expect(await findStore('Corner_shp')).toBeUndefined();
    expect(await stage.listKeys()).not.toContainEqual(expect.objectContaining({ storeId: 'Corner_shp' }));
  });

  test('accepts a store that has a key but no record', async () => {
    await stage.givenKey({ storeId: 'keyed-only' });

    const { exitCode, stderr } = await run('keyed-only');
    expect(exitCode).toBe(0);
    // Those that scan carts say their cost.
    expect(stderr.replace(/^Scans .+\n.+\n$/, '')).toBe('');
  });
});

describe('the store directory', () => {
  test('finds a stored store, and no unknown one', async () => {
    const stores = createOperatorStoreRepository(stage.documents, stage.tableNames.stores);
    const store = { id: 'direct', name: 'Direct', createdAtMs: NOW_MS };
    expect(await stores.putIfMissing(store)).toBe(true);
    expect(await stores.putIfMissing({ ...store, name: 'Other' })).toBe(false);

    expect(await stores.find('direct')).toStrictEqual(store);
    expect(await stores.find('unknown')).toBeUndefined();
  });
});
