// The local stage upgrades the data file of the first release, which commit 829e62f made. It adds the tables that are missing
// there. `items.test.ts` tests the items of later releases.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../lib/core/durations.ts';
import { expectError } from '../support/expect-error.ts';
import { cartIdOf } from '../support/http-client.ts';
import { stopProcesses } from '../support/processes.ts';
import { cartBody } from '../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../support/stage.ts';
import { DATA_FOLDERS, readDataFile, readFixture } from './fixtures.ts';
import { testServed, twoDaysLater, use } from './served-fixture.ts';

afterAll(stopProcesses);

describe.each(DATA_FOLDERS)('the data file of %s, served by the current code', (name) => {
  const fixture = readFixture(name);
  const { madeAtMs, keys, carts, retries } = fixture;
  let folder: string;
  let stage: TestStage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cart-checkout-upgrade-'));
    const file = join(folder, 'data.sqlite');
    await writeFile(file, readDataFile(name));
    stage = await givenStage(['--data', file], SERVICE_WITH_CLOCK);
    return () => rm(folder, { recursive: true });
  });

  // The clock stands at the file's creation. Later, carts expire and buckets refill.
  beforeEach(() => setClock(stage, { standsAtMs: madeAtMs }));

  testServed(fixture, () => stage);

  test('a rotated key ends with its overlap', async () => {
    await setClock(stage, { standsAtMs: madeAtMs + DAY_MS });

    expectError(await use(stage, keys.endsWithinADay), 'invalidApiKey');
  });

  // Cart ids derived from the API key before, and derive from a secret of the stage now.
  test('a retry that spans the upgrade makes a second cart, which further retries replay', async () => {
    expect(retries).not.toHaveLength(0);
    for (const { apiKey, body, headers, responseText } of retries) {
      const earlier = JSON.parse(responseText) as { cart: { id: string } };
      const second = await stage.createCart(body, { apiKey, headers });
      expect(second.status).toBe(201);
      expect(cartIdOf(second)).not.toBe(earlier.cart.id);
      const replayed = await stage.createCart(body, { apiKey, headers });
      expect(replayed.headers['idempotent-replayed']).toBe('true');
      expect(replayed.bodyText).toBe(second.bodyText);
      expect((await stage.getCart(earlier.cart.id, { apiKey })).status).toBe(200);
    }
  });

  test('earlier test carts have no payment page any more, and new ones have', async () => {
    const [apiKey] = keys.working;
    const statusOf = async (cartId: string) =>
      (await fetch(`${stage.baseUrl}/sandbox/checkout/${cartId}`)).status;
    for (const { id } of carts) expect(await statusOf(id)).toBe(404);
    const created = await stage.createCart(cartBody('fixed'), { apiKey });
    expect(await statusOf(cartIdOf(created))).toBe(200);
  });

  test('the demo stores still sell', async () => {
    for (const { apiKey, products } of stage.stores) {
      expect((await stage.createCart(cartBody(products[0]?.id ?? ''), { apiKey })).status).toBe(201);
    }
  });

  test('two days later, carts that wait for their payment are abandoned, and no cart is lost', async () => {
    await setClock(stage, { standsAtMs: madeAtMs + 2 * DAY_MS });

    for (const { id, apiKey, responseText } of carts) {
      const { body } = await stage.getCart(id, { apiKey });
      expect(body).toStrictEqual(twoDaysLater(responseText));
    }
  });
});
