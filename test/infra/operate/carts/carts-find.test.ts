import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { MODES } from '../../../../lib/stores/mode.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { BUYER } from '../../../support/secrets.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

const givenCart = async (changes: Partial<Cart>): Promise<Cart> => {
  const cart = waitingCart(changes);
  return (await stage.carts[cart.mode].create(cart)).cart;
};

const idsOf = async (
  args: readonly string[],
  typed?: string,
): Promise<{ readonly ids: readonly string[]; readonly stderr: string }> => {
  const { exitCode, stdout, stderr } = await stage.run(
    [...args, '--json'],
    typed === undefined ? {} : { typed },
  );
  expect(exitCode).toBe(0);
  const { carts } = JSON.parse(stdout) as { carts: readonly { readonly id: string }[] };
  expect(stdout).not.toContain(BUYER.email);
  return { ids: carts.map(({ id }) => id).toSorted(), stderr };
};

describe('carts find', () => {
  const pay = async (cart: Cart, result: 'succeeded' | 'failed'): Promise<string> => {
    const table = cart.mode === 'live' ? 'carts' : 'testCarts';
    const paid = payment({ result, occurredAtMs: stage.clock.now() });
    const paymentRecords = paymentRecordRepositoryOf(stage, table, stage.clock.now);
    await recordPaymentEvent(
      { cartId: cart.id, mode: cart.mode, payment: paid },
      { carts: stage.carts[cart.mode], paymentRecords },
    );
    return paid.paymentId;
  };

  test.each(MODES)('finds a %s cart by a successful payment, and says what the read costs', async (mode) => {
    const cart = await givenCart({ mode });
    const paymentId = await pay(cart, 'succeeded');
    const { ids, stderr } = await idsOf(['carts', 'find', '--payment', paymentId.toUpperCase()]);
    expect(ids).toStrictEqual([cart.id]);
    expect(stderr).toMatch(/^Reads the claim .* about 3 read units, less than \$0\.01\.\n$/);
  });

  test('finds no cart by a payment that failed, and says so', async () => {
    const paymentId = await pay(await givenCart({}), 'failed');
    const { exitCode, stderr } = await stage.run(['carts', 'find', '--payment', paymentId]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `No cart has a successful payment ${paymentId}. A failed payment claims no cart`,
    );
  });
});

describe('carts list', () => {
  test("finds a buyer's carts in both modes, without regard to case, and keeps the address out of the result", async () => {
    const storeId = await stage.givenStore(randomUUID());
    const email = `${storeId}@Example.com`;
    const made = [
      await givenCart({ storeId, customerInfo: { email } }),
      await givenCart({ storeId, mode: 'test', customerInfo: { email: email.toUpperCase() } }),
    ];
    await givenCart({ storeId });
    await givenCart({ storeId, customerInfo: {} });
    const expected = made.map(({ id }) => id).toSorted();

    expect((await idsOf(['carts', 'list', '--email', email])).ids).toStrictEqual(expected);
    const typed = await idsOf(['carts', 'list', '--email', '-', '--store', storeId], `${email}\n`);
    expect(typed.ids).toStrictEqual(expected);
    const { stdout } = await stage.run(['carts', 'list', '--email', email]);
    expect(stdout.toLowerCase()).not.toContain('@example.com');
  });

  test('finds the carts with an entry of meta, and states the cost of its scan', async () => {
    const order = randomUUID();
    const { id } = await givenCart({ meta: { 'order.id': `${order}=1` } });
    await givenCart({ meta: { other: `${order}=1` } });
    const { ids, stderr } = await idsOf(['carts', 'list', '--meta', `order.id=${order}=1`]);
    expect(ids).toStrictEqual([id]);
    expect(stderr).toMatch(/^Scans at most about [\d,]+ items?: /);
    expect((await idsOf(['carts', 'list', '--meta', 'order.id='])).ids).toStrictEqual([]);
  });

  test.each([
    ['an address that is none', ['--email', 'ada'], /^--email must be one e-mail address/],
    ['an entry of meta without a key', ['--meta', '=A-1'], /It must be a key, = and a value/],
    ['an entry of meta without a value', ['--meta', 'order'], /It must be a key, = and a value/],
  ])('rejects %s', async (_what, flags, words) => {
    expectFailure(await stage.run(['carts', 'list', ...flags]), 2, words);
  });
});
