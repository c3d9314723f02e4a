import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSentence } from '../../support/expect-sentence.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { operate, stopProcesses } from '../../support/processes.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(stopProcesses);

const onStage = (...args: readonly string[]) => operate(...args, '--dynamodb', stage.dynamodbEndpoint);

const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  const { exitCode, stdout, stderr } = await onStage(...args, '--json');
  expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
};

/** A cart that was declined and then paid, of a store of its own. */
const givenPaidCart = async (): Promise<{ cartId: string; storeId: string }> => {
  const [store] = stage.stores;
  const answer = await stage.createCart(cartBody(stage.productId), { apiKey: store?.apiKey });
  const cartId = cartIdOf(answer);
  for (const action of ['decline', 'pay']) {
    const body = new URLSearchParams({ action });
    await fetch(`${stage.baseUrl}/sandbox/checkout/${cartId}`, { method: 'POST', body, redirect: 'manual' });
  }
  return { cartId, storeId: store?.id ?? '' };
};

describe('carts show', () => {
  test('tells the cart, its buyer and all that happened to it', async () => {
    const { cartId, storeId } = await givenPaidCart();
    const shown = await json('carts', 'show', cartId.toUpperCase());
    expect(shown).toMatchObject({
      id: cartId,
      storeId,
      mode: 'test',
      status: 'completed',
      customerInfo: BUYER,
    });
    expect((shown['timeline'] as { what: string }[]).map(({ what }) => what)).toStrictEqual([
      'created',
      'paymentFailed',
      'paymentSucceeded',
    ]);
  });

  test('shows a person the timeline, and not who the buyer is', async () => {
    const { cartId } = await givenPaidCart();
    const { stdout } = await onStage('carts', 'show', cartId);
    expect(stdout).toContain(`Cart ${cartId}`);
    expect(stdout).toMatch(/^ {2}\S+Z {2}paymentFailed .+\n {2}\S+Z {2}paymentSucceeded .+$/m);
    expect(stdout).not.toContain(BUYER.email);
  });

  test('says in one sentence that there is no such cart, or that it is no id', async () => {
    const unknown = randomUUID();
    expectSentence(
      await onStage('carts', 'show', unknown),
      new RegExp(`^No cart has the id ${unknown}\\.\n$`),
    );
    const { exitCode, stderr } = await onStage('carts', 'show', 'cart-1');
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 2,
      stderr: "A cart's id is a UUID, as it was answered when it was created.\n",
    });
  });
});

describe('carts list', () => {
  test("lists a store's carts, of one status if asked to, and no buyer", async () => {
    const { cartId, storeId } = await givenPaidCart();
    const ids = ({ carts }: Record<string, unknown>) => (carts as { id: string }[]).map(({ id }) => id);
    expect(ids(await json('carts', 'list', '--store', storeId))).toContain(cartId);
    const completed = await json('carts', 'list', '--store', storeId, '--status', 'completed');
    expect(ids(completed)).toContain(cartId);
    expect(JSON.stringify(completed)).not.toContain(BUYER.email);
    const waiting = await json('carts', 'list', '--store', storeId, '--status', 'waiting_payment');
    expect(ids(waiting)).not.toContain(cartId);
    expect(await json('carts', 'list', '--store', 'another-store')).toStrictEqual({ carts: [] });
  });
});

describe('dead-letters', () => {
  test('are told to be none of the local stage', async () => {
    expectSentence(
      await onStage('dead-letters', 'list'),
      /^The local stage has no dead letters: .+ --stage\.\n$/,
    );
  });
});
