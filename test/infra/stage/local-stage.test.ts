import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isListening } from '../../support/addresses.ts';
import { type DynamodbProxy, startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { run, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const PROGRAM = 'infra/local/main.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

/** The shared stage's database, slow enough to act while a call is under way. */
const givenSlowDatabase = async (delayMs: number): Promise<DynamodbProxy> => {
  const proxy = await startDynamodbProxy(stage.dynamodbEndpoint, delayMs);
  onTestFinished(() => proxy.close());
  return proxy;
};

/** Pastes the line into a shell; with a stand-in for curl, and a loud word, on a machine that has none. */
const runCurlLine = async (curlLine: string): Promise<{ stdout: string }> => {
  const paste = (line: string) =>
    promisify(execFile)('sh', ['-c', line], { env: { ...process.env, NO_PROXY: '127.0.0.1' } });
  try {
    return await paste(curlLine);
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 127;
    if (!isMissing) throw error;
    console.warn('THIS MACHINE HAS NO curl: the printed line was tried with a stand-in.');
    return paste(curlLine.replace(/^curl/, `'${process.execPath}' test/support/curl-stand-in.ts`));
  }
};

describe('with --json', () => {
  test('it prints one line on standard output and nothing else, whatever is asked of it', async () => {
    const own = await givenStage();
    const apiKey = own.stores[0]?.apiKey;
    expect((await own.createCart(cartBody(own.productId), { apiKey })).status).toBe(201);
    expect((await own.createCart('{}', { apiKey })).status).toBe(422);
    expect((await own.getCart(randomUUID(), {})).status).toBe(401);

    const { stdout, stderr } = await own.stop();

    expect(stdout).toMatch(/^[^\n]+\n$/);
    for (const status of [201, 422, 401]) expect(stderr).toContain(`"status":${status}`);
  });

  test('the line names the address, the database, and two stores with three products each', () => {
    const { baseUrl, dynamodbEndpoint, stores } = stage;
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const store = {
      id: expect.stringMatching(/./),
      apiKey: expect.stringMatching(/^cck_test_[0-9A-Za-z]{38}$/),
      products: [
        { id: expect.stringMatching(/./), pricing: 'fixed', available: true },
        { id: expect.stringMatching(/./), pricing: 'free', available: true },
        { id: expect.stringMatching(/./), pricing: 'fixed', available: false },
      ],
    };

    expect({ baseUrl, dynamodbEndpoint, stores }).toEqual({
      baseUrl: address,
      dynamodbEndpoint: address,
      stores: [store, store],
    });
    expect(
      new Set(stores.flatMap(({ id, apiKey, products }) => [id, apiKey, ...products.map((p) => p.id)])).size,
    ).toBe(2 * (2 + 3));
  });

  test('each product does what the line says of it, for its own store only', async () => {
    const outcomes = async (apiKey: string, products: TestStage['stores'][number]['products']) =>
      Promise.all(
        products.map(async ({ id, pricing }) => {
          const changes = pricing === 'free' ? { customerPrice: 500 } : {};
          return (await stage.createCart(cartBody(id, changes), { apiKey })).status;
        }),
      );

    for (const { apiKey, products } of stage.stores) {
      const other = stage.stores.find((store) => store.apiKey !== apiKey);
      expect(await outcomes(apiKey, products)).toEqual([201, 201, 400]);
      expect(await outcomes(apiKey, other?.products ?? [])).toEqual([400, 400, 400]);
    }
  });
});

test('without --json, it names the address, both keys, all products and a curl line that makes a cart', async () => {
  const { child, stdout } = run(PROGRAM, ['--port', '0', '--data', 'memory']);
  await expect.poll(stdout, { timeout: 10_000 }).toMatch(/^curl .*\n/m);
  const text = stdout();

  expect(text).toMatch(/http:\/\/127\.0\.0\.1:[1-9]\d*/);
  for (const { id, apiKey, products } of stage.stores) {
    for (const name of [id, apiKey, ...products.map((product) => product.id)]) expect(text).toContain(name);
  }

  const curlLine = /^curl .*$/m.exec(text)?.[0] ?? '';
  const curl = await runCurlLine(curlLine);
  expect(curl.stdout).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(JSON.parse(curl.stdout.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    cart: { status: 'waiting_payment' },
  });

  child.kill('SIGINT');
  await expect.poll(() => child.exitCode, { timeout: 10_000 }).toBe(0);
  // What a person reads is still there after requests, and no log line is among it.
  expect(stdout()).toBe(text);
});

describe('its end', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'comes with %s, exit code 0, and leaves neither the service nor its database',
    async (signal) => {
      const own = await givenStage();
      expect((await own.getCart(randomUUID(), {})).status).toBe(401);
      expect(await isListening(own.dynamodbEndpoint)).toBe(true);

      own.child.kill(signal);

      expect((await own.ended).exitCode).toBe(0);
      expect(await isListening(own.dynamodbEndpoint)).toBe(false);
      expect(await isListening(own.baseUrl)).toBe(false);
    },
  );

  test('waits for the request in flight, which gets its answer', async () => {
    const database = await givenSlowDatabase(100);
    const own = await givenStage(['--dynamodb', database.endpoint]);
    const apiKey = await stage.givenKey();
    database.reset();
    const answer = own.createCart(cartBody(own.productId), { apiKey });
    await expect.poll(() => database.calls.length, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);

    const { exitCode } = await own.stop();

    expect((await answer).status).toBe(201);
    expect(exitCode).toBe(0);
    expect(await isListening(stage.dynamodbEndpoint)).toBe(true);
  });

  test('comes in order while it is still starting', async () => {
    const database = await givenSlowDatabase(100);
    const { child, ended } = run(PROGRAM, ['--json', '--port', '0', '--dynamodb', database.endpoint]);
    await expect.poll(() => database.calls.length, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);

    child.kill('SIGINT');

    expect(await ended).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

test('a second start on the same file finds the cart of the first, and the demo keys still work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'local-stage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const flags = ['--data', join(folder, 'made', 'data.sqlite')];
  const first = await givenStage(flags);
  const apiKey = first.stores[0]?.apiKey;
  const cartId = cartIdOf(await first.createCart(cartBody(first.productId), { apiKey }));
  const before = await first.getCart(cartId, { apiKey });
  await first.stop();

  const second = await givenStage(flags);

  const after = await second.getCart(cartId, { apiKey });
  expect(after).toMatchObject({ status: 200, bodyText: before.bodyText });
  for (const store of second.stores) {
    const body = cartBody(store.products[0]?.id ?? '');
    expect((await second.createCart(body, { apiKey: store.apiKey })).status).toBe(201);
  }
  await second.stop();
});
