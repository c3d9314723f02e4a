import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VALUE_NAMES } from '../../infra/stage/stage-values.ts';
import { type BadRelease, givenBadRelease, VALUES } from '../support/deploy/bad-release.ts';
import { type Emulator, startEmulator } from '../support/deploy/emulator.ts';
import { waitUntil } from '../support/deploy/test-carts.ts';
import { BUYER } from '../support/secrets.ts';

let emulator: Emulator;
let stage: BadRelease;

beforeAll(async () => {
  emulator = await startEmulator();
  stage = await givenBadRelease(emulator.endpoint);
}, 900_000);

afterAll(() => emulator.stop());

describe('a roll-back of a stage with every value, as the documents print it', () => {
  test('begins at the bad release, which has kept the values', async () => {
    const { stack, commits, before, operate, store, waitingCart } = stage;
    // The emulator has neither policy nor bootstrap for the last two.
    const others = ['protected', 'webhookLoopback', 'permissionsBoundary', 'qualifier'];
    const given = [...Object.keys(VALUES), ...others];
    expect(new Set(given)).toStrictEqual(new Set(VALUE_NAMES));
    expect(before.values.given).toStrictEqual(VALUES);
    expect(await stack()).toMatchObject({ commit: commits.bad, values: before.values });
    expect(await operate('stages show')).toMatchObject({ commit: commits.bad, deployer: 'ada' });
    expect(await store.retrieve(waitingCart)).toMatchObject({ status: 500 });
  });

  test('is rejected if it is not declared', async () => {
    const { run, stack, commits } = stage;
    const before = await stack();
    await run(
      `git checkout --quiet --detach ${commits.earlier} && git restore --source origin/main -- stages`,
    );
    await expect(run('npm run deploy -- -c stage=prod')).rejects.toThrow(
      `runs the commit ${commits.bad} of `,
    );
    await run('git checkout --quiet --force main');
    expect(await stack()).toStrictEqual(before);
  });

  test('returns to the earlier code with all values of today, and an 800-day-old cart keeps its buyer', async () => {
    const { stack, commits, before, store, waitingCart, oldCart } = stage;
    expect(await stage.rollBack()).toContain('The deployment loses no value of CartCheckout-prod.');
    const after = await stack();
    expect(after.commit).toBe(commits.earlier);
    expect(after.values).toStrictEqual({ ...before.values, isRollback: true });
    expect(after.resources).toStrictEqual(before.resources);
    expect(await store.retrieve(waitingCart)).toMatchObject({ status: 200 });

    const olderCart = await store.createPaid(3_700);
    const buyerOf = async (cartId: string) => (await store.retrieve(cartId)).body['customerInfo'];
    await waitUntil(async () => JSON.stringify(await buyerOf(olderCart)) === '{}');
    expect(await buyerOf(oldCart)).toStrictEqual(BUYER);
    for (const [when, { values }] of Object.entries({ before, after }))
      process.stdout.write(`${when}: ${JSON.stringify(values)}\n`);
  }, 900_000);

  test('changes nothing if it runs again', async () => {
    const { run, stack, folders } = stage;
    const before = await stack();
    await run('npm run deploy -- -c stage=prod -c rollback=true', folders.rollBack);
    expect(await stack()).toStrictEqual(before);
  });

  test('is rejected, like any deployment, if it has only the values of the first one', async () => {
    const { run, stack, folders } = stage;
    const before = await stack();
    await run(`echo '{}' > stages/prod.json`, folders.rollBack);
    const flags = '-c stage=prod -c checkoutUrl=https://pay.example.com -c alarmEmail=ops@example.com';
    const deploy = run(`npm run deploy -- ${flags} -c rollback=true`, folders.rollBack);
    await expect(deploy).rejects.toThrow('personalDataDays=3650 would become 730');
    expect(await stack()).toStrictEqual(before);
  });
});
