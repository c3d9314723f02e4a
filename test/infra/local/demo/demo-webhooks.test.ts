import { describe, expect, it } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { type DemoWebhook, ensureDemoWebhooks } from '../../../../infra/local/demo/demo-webhooks.ts';
import { ensureReceiver, isBuiltIn } from '../../../../infra/local/demo/receiver.ts';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { createEndpointRepository } from '../../../../lib/endpoints/endpoint-repository.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { endpointChangesOf } from '../../../support/domain/endpoints.ts';

const HOOK = 'http://127.0.0.1:8080/hook';
const BASE_URL = 'http://127.0.0.1:3000';

const database = await givenDatabase();
const ensure = (address: string): Promise<readonly DemoWebhook[]> =>
  ensureDemoWebhooks(address, BASE_URL, { ...database, now: () => NOW_MS });

const storedOf = (storeId: string) =>
  createEndpointRepository(database.documents, database.tableNames.webhookEndpoints).listOf({
    storeId,
    mode: 'test',
  });

it('an address is registered once for each demo store, and keeps its secret', async () => {
  const first = await ensure(HOOK);
  expect(first.map(({ storeId, url }) => [storeId, url])).toEqual(DEMO_STORES.map(({ id }) => [id, HOOK]));
  expect(await ensure(HOOK)).toEqual(first);
  for (const { storeId, id } of first) {
    expect((await storedOf(storeId)).map(({ endpointId }) => endpointId)).toEqual([id]);
  }
});

it('an address that was disabled is enabled again', async () => {
  const address = 'http://localhost:8081/hook';
  const [webhook] = await ensure(address);
  const { documents, tableNames } = database;
  const endpoint = {
    storeId: String(webhook?.storeId),
    mode: 'test',
    endpointId: String(webhook?.id),
  } as const;
  const endpoints = createEndpointRepository(documents, tableNames.webhookEndpoints);
  await endpointChangesOf(database).update((await endpoints.find(endpoint))!, {
    disabled: { atMs: NOW_MS, reason: 'gone' },
  });
  expect(await ensure(address)).toContainEqual(webhook);
  expect((await endpoints.find(endpoint))?.disabled).toBeUndefined();
});

describe('the built-in receiver', () => {
  const ensureAt = async (baseUrl: string, creates = true) => {
    await ensureReceiver(baseUrl, creates, { ...database, now: () => NOW_MS });
    return (await storedOf('demo-store-one')).find(isBuiltIn);
  };

  it('has one endpoint for each demo store, whose address follows the port', async () => {
    expect(await ensureAt(BASE_URL, false)).toBeUndefined();
    const first = await ensureAt(BASE_URL);
    expect(first).toMatchObject({ url: `${BASE_URL}/receiver/${first?.endpointId}` });
    expect(await ensureAt(BASE_URL)).toStrictEqual(first);
    expect(await ensureAt('http://127.0.0.1:4000', false)).toMatchObject({
      url: `http://127.0.0.1:4000/receiver/${first?.endpointId}`,
    });
    expect((await storedOf('demo-store-two')).filter(isBuiltIn)).toHaveLength(1);
  });

  it('does not count as built-in at an address that a merchant has changed', async () => {
    const endpoint = await ensureAt(BASE_URL);
    await endpointChangesOf(database).update(endpoint!, { url: HOOK });
    expect((await storedOf('demo-store-one')).filter(isBuiltIn)).toStrictEqual([]);
    expect(await ensureAt(BASE_URL)).toMatchObject({ url: endpoint?.url });
  });

  it('stays disabled, and stays deleted', async () => {
    const disabled = { atMs: NOW_MS, reason: 'merchant' } as const;
    await endpointChangesOf(database).update((await ensureAt(BASE_URL))!, { disabled });
    const endpoint = await ensureAt('http://127.0.0.1:5000');
    expect(endpoint?.disabled).toStrictEqual(disabled);
    await endpointChangesOf(database).remove(endpoint!);
    expect(await ensureAt(BASE_URL)).toBeUndefined();
  });
});

it.each([
  '8080',
  `${BASE_URL}/hook`,
  'http://192.0.2.1/hook',
  'ftp://127.0.0.1/',
  'https://user:pass@shop.example/hook',
])('the address %s is rejected with a sentence', async (address) => {
  await expect(ensure(address)).rejects.toThrow(OperatorError);
  await expect(ensure(address)).rejects.toThrow(/^The address of --webhook cannot be used\. .+\.$/);
});

it('more addresses than a store may have are rejected', async () => {
  const register = async (port: number): Promise<void> => {
    if (port === 9_011) return;
    await ensure(`http://127.0.0.1:${port}/hook`);
    await register(port + 1);
  };
  await expect(register(9_000)).rejects.toThrow('has 10 test endpoints, the most that it may have');
});
