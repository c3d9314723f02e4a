import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { createCartRepositories, type CartRepositories } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createTestClient } from '../../../support/database/test-client.ts';
import { eventsOf } from '../../../support/domain/event-logs.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { givenSharedStage, type TestStage } from '../../../support/programs/stage-process.ts';

// Commands on a local stage take the same way as on AWS: through its bus and its queues.
const CART_TABLES = { cartsTable: LOCAL_TABLE_NAMES.carts, testCartsTable: LOCAL_TABLE_NAMES.testCarts };

let stage: TestStage;
let receiver: WebhookReceiver;
let documents: ReturnType<typeof createTestClient>;
let carts: CartRepositories;

beforeAll(async () => {
  stage = await givenSharedStage();
  receiver = await startWebhookReceiver();
  documents = createTestClient(stage.dynamodbEndpoint);
  carts = createCartRepositories(documents, CART_TABLES, Date.now);
});

afterAll(async () => {
  await receiver.close();
});

const sleep = (ms: number): Promise<unknown> => new Promise((settle) => void setTimeout(settle, ms / 10));

const run = (...args: readonly string[]) =>
  operate([...args, '--dynamodb', stage.dynamodbEndpoint], { sleep });

const runJson = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const { stdout, stderr } = await run(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>;
};

/** Reports a payment. The consequences are on standard error. */
const send = async (...flags: readonly string[]): Promise<Record<string, string>> => {
  const { exitCode, stdout } = await run('payments', 'send', ...flags, '--json');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Record<string, string>;
};

const givenCart = async (mode: Cart['mode']): Promise<Cart> => {
  const cart = waitingCart({
    mode,
    storeId: `local-${randomUUID()}`,
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
    deleteAtSeconds: Date.now() / 1_000 + 7_200,
  });
  return (await carts[mode].create(cart)).cart;
};

const givenWebhook = async (storeId: string): Promise<string> => {
  await runJson('stores', 'put', storeId, '--name', 'Local');
  const flags = ['--store', storeId, '--mode', 'test', '--url', receiver.url];
  return String((await runJson('webhooks', 'create', ...flags))['id']);
};

test('payments send has the stage record a payment of a live or a test cart, with its event, once', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { id, storeId } = await givenCart(mode);
    const flags = ['--cart', id, '--result', 'succeeded', '--yes'];

    const first = await send(...flags);
    const second = await send(...flags);

    expect(first).toMatchObject({ outcome: 'recorded', status: 'completed', mode });
    expect(second).toStrictEqual({ ...first, outcome: 'alreadyRecorded' });
    const events = await eventsOf({ documents, tableNames: LOCAL_TABLE_NAMES }, { storeId, mode });
    expect(events).toMatchObject([{ type: 'cart.completed', data: { id, paymentId: first['paymentId'] } }]);
    // The stage has recorded it, not the command.
    expect(stage.stderr()).toContain(`"cartId":"${id}","outcome":"recorded"`);
  }
});

test('webhooks create accepts http to this machine, no other http address, and names what it accepts', async () => {
  const storeId = `local-${randomUUID()}`;
  expect(await givenWebhook(storeId)).toMatch(/^we_/);

  const flags = ['--store', storeId, '--mode', 'test', '--url', 'http://192.168.0.1/hook'];
  expectFailure(await run('webhooks', 'create', ...flags), 2, /this machine/);
  const ftp = ['--store', storeId, '--mode', 'test', '--url', 'ftp://127.0.0.1/hook'];
  expectFailure(
    await run('webhooks', 'create', ...ftp),
    2,
    /^The address must begin with https:\/\/, or with http:\/\/ and point to this machine\.\n$/,
  );
});

test('webhooks test and webhooks replay deliver by the queue of the stage', async () => {
  const { id: cartId, storeId } = await givenCart('test');
  await send('--cart', cartId, '--result', 'failed');
  const id = await givenWebhook(storeId);

  const { stdout } = await run('webhooks', 'test', id);
  expect(stdout).toMatch(/webhook\.ping .* succeeded/);
  expect(await runJson('webhooks', 'replay', id, '--since', '2020-01-01T00:00:00Z')).toStrictEqual({
    id,
    // Only the payment: an endpoint does not get the event of its own creation.
    replayed: 1,
  });
  await expect.poll(() => receiver.received.filter(({ body }) => body.includes(cartId)).length).toBe(1);
});

test('on a DynamoDB without a stage, a command that needs its bus or queues names what to do', async () => {
  const onDatabase = (...args: readonly string[]) =>
    operate([...args, '--dynamodb', inject('dynamodbEndpoint')]);
  const storeId = `local-${randomUUID()}`;
  const database = createTestClient(inject('dynamodbEndpoint'));
  const times = { createdAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000 };
  const cart = waitingCart({ mode: 'test', ...times, deleteAtSeconds: Date.now() / 1_000 + 7_200 });
  const repository = createCartRepositories(database, CART_TABLES, Date.now);
  await repository.test.create(cart);
  await onDatabase('stores', 'put', storeId, '--name', 'Local');
  const flags = ['--store', storeId, '--mode', 'test', '--url', receiver.url];
  const { stdout } = await onDatabase('webhooks', 'create', ...flags, '--json');
  const { id } = JSON.parse(stdout) as { id: string };

  expectFailure(
    await onDatabase('webhooks', 'test', id),
    1,
    /rejected a call of SQS: if no local stage runs there, start one/,
  );
  const sent = await onDatabase('payments', 'send', '--cart', cart.id, '--result', 'succeeded');
  // This DynamoDB responds to EventBridge's protocol without JSON.
  expect(sent).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('check the address') });
});
