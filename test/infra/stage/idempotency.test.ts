import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { type ApiResponse, cartBody } from '../../support/service.ts';
import { givenTwoStages, type TestStage } from '../../support/stage.ts';
import { BUYER } from '../../support/secrets.ts';

let first: TestStage;
let second: TestStage;

beforeAll(async () => {
  [first, second] = await givenTwoStages();
});

afterAll(stopProcesses);

const create = (
  stage: TestStage,
  apiKey: string,
  idempotencyKey: string | undefined,
  changes: Record<string, unknown> = {},
): Promise<ApiResponse> =>
  stage.createCart(cartBody(stage.productId, changes), {
    apiKey,
    headers: { 'Idempotency-Key': idempotencyKey },
  });

test('50 requests at once over two processes with one idempotency key make one cart, and all get it', async () => {
  // A live cart's payment address is the same on both; a test cart's is on the stage that answers.
  const apiKey = await first.givenKey({ mode: 'live' });

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create(index % 2 === 0 ? first : second, apiKey, 'order-1')),
  );

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
  expect(new Set(answers.map(({ bodyText }) => bodyText)).size).toBe(1);
  const replayed = answers.map(({ headers }) => headers['idempotent-replayed']);
  expect(replayed.filter((value) => value === 'true')).toHaveLength(49);
  expect(replayed.filter((value) => value === undefined)).toHaveLength(1);
  expect((await second.getCart(cartIdOf(answers[0]!), { apiKey })).status).toBe(200);
});

test('one process answers a repeated request with the very same bytes', async () => {
  const apiKey = await first.givenKey();

  const [original, ...replays] = [
    await create(first, apiKey, 'order-1'),
    await create(first, apiKey, 'order-1'),
    await create(first, apiKey, 'order-1'),
  ];

  expect(replays.map(({ bodyText }) => bodyText)).toEqual([original.bodyText, original.bodyText]);
});

test('another body under a used idempotency key is refused on either process, and changes nothing', async () => {
  const apiKey = await first.givenKey();
  const created = await create(first, apiKey, 'order-1');
  const cartBefore = await first.getCart(cartIdOf(created), { apiKey });

  for (const stage of [first, second]) {
    expectError(await create(stage, apiKey, 'order-1', { firstName: 'Ada' }), 'idempotencyKeyReused');
  }

  const cartAfter = await second.getCart(cartIdOf(created), { apiKey });
  expect(cartAfter.bodyText).toBe(cartBefore.bodyText);
});

test('50 requests at once over two processes with different bodies under one key make the cart of one', async () => {
  const apiKey = await first.givenKey();

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      create(index % 2 === 0 ? first : second, apiKey, 'order-1', { firstName: `Buyer ${index}` }),
    ),
  );

  const created = answers.filter(({ status }) => status === 201);
  expect(created).toHaveLength(1);
  expect(created[0]?.headers).not.toHaveProperty('idempotent-replayed');
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectError(answer, 'idempotencyKeyReused');
  }
});

test('the same fields in another order are the same request', async () => {
  const apiKey = await first.givenKey();
  const fields = { productDocumentId: first.productId, ...BUYER, meta: { color: 'red', size: 'L' } };
  const reversed = Object.fromEntries(
    Object.entries({ ...fields, meta: { size: 'L', color: 'red' } }).toReversed(),
  );
  const send = (stage: TestStage, body: object) =>
    stage.createCart(JSON.stringify(body), { apiKey, headers: { 'Idempotency-Key': 'order-1' } });

  const created = await send(first, fields);
  const replayed = await send(second, reversed);

  expect(replayed.status).toBe(201);
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(cartIdOf(replayed)).toBe(cartIdOf(created));
});

test('the same idempotency key under another API key makes another cart', async () => {
  const keys = [await first.givenKey(), await first.givenKey(), await first.givenKey({ mode: 'live' })];

  const answers = [];
  for (const apiKey of keys) answers.push(await create(first, apiKey, 'order-1'));

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(new Set(answers.map(cartIdOf)).size).toBe(3);
});

test('two equal requests without an idempotency key make two carts', async () => {
  const apiKey = await first.givenKey();

  const answers = [await create(first, apiKey, undefined), await create(second, apiKey, undefined)];

  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined]);
  expect(new Set(answers.map(cartIdOf)).size).toBe(2);
});
