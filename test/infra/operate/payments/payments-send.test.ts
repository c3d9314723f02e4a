import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { BUS_AND_QUEUES, givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { recorderOf } from '../../../support/operators/record-from-bus.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart({ mode: 'test', createdAtMs: stage.clock.now(), ...changes });
  return (await stage.carts[cart.mode].create(cart)).cart;
};

const recordFromBus = (): void => stage.aws.onEvent(recorderOf(stage));

afterEach(() => {
  stage.aws.onEvent(async () => undefined);
  stage.aws.entries.length = 0;
});

/** Sends a report. The consequences are on standard error. */
const send = async (cart: Cart, ...flags: readonly string[]): Promise<Record<string, unknown>> => {
  const { exitCode, stdout } = await stage.run(['payments', 'send', '--cart', cart.id, ...flags, '--json']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('payments send on a deployed stage', () => {
  test('sends a success of the exact price on the bus, and reports the completed cart', async () => {
    recordFromBus();
    const cart = await givenCart();

    const sent = await send(cart, '--result', 'succeeded');

    expect(sent).toMatchObject({ outcome: 'recorded', status: 'completed', mode: 'test', ...cart.price });
    expect(stage.aws.entries).toMatchObject([
      {
        EventBusName: BUS_AND_QUEUES.EventBusName,
        Source: BUS_AND_QUEUES.PaymentSource,
        DetailType: 'payment.succeeded',
      },
    ]);
  });

  test.each([
    ['succeeded', 0, 'the cart is completed. This is final.'],
    ['succeeded', -1, 'the cart is completed, as paid late. This is final.'],
    ['failed', 0, 'the cart is payment_failed. The buyer can pay again.'],
    ['failed', -1, 'the cart is still abandoned.'],
  ])(
    'says before it sends what follows: %s, with an expiry of %i s',
    async (result, expirySeconds, sentence) => {
      const nowMs = stage.clock.now();
      const cart = await givenCart(
        expirySeconds < 0 ? { createdAtMs: nowMs - 60_000, expiresAtMs: nowMs - 1_000 } : {},
      );
      const { stderr } = await stage.run(['payments', 'send', '--cart', cart.id, '--result', result]);
      expect(stderr).toContain(`Afterwards, ${sentence}\n`);
    },
  );

  test('names the duplicate payment that a late event of the payment side causes, unless it has the payment id', async () => {
    recordFromBus();
    const report = async (...flags: readonly string[]): Promise<boolean> => {
      const { id } = await givenCart();
      const { stderr } = await stage.run([
        'payments',
        'send',
        '--cart',
        id,
        '--result',
        'succeeded',
        ...flags,
      ]);
      return stderr.includes('if the payment side reports it later, that is a duplicate payment.');
    };
    expect([await report(), await report('--payment-id', randomUUID())]).toStrictEqual([true, false]);
  });

  test('a failed payment has the reason of the operator, also in its repetition, and carts show it', async () => {
    recordFromBus();
    const cart = await givenCart();
    const flags = ['--result', 'failed'];
    await send(cart, ...flags, '--failure-reason', 'card_declined');
    expect((await stage.carts.test.find(cart.id))?.failureReason).toBe('card_declined');
    expect(await send(cart, ...flags)).toMatchObject({ outcome: 'alreadyRecorded' });
    const { stdout } = await stage.run(['carts', 'show', cart.id]);
    expect(stdout).toContain('test mode: payment_failed (card_declined)\n');

    const other = ['payments', 'send', '--cart', cart.id, '--result', 'succeeded', '--failure-reason', 'x'];
    expectFailure(await stage.run(other), 2, /Only a failed payment has a --failure-reason\./);
    const text = [
      'payments',
      'send',
      '--cart',
      cart.id,
      '--result',
      'failed',
      '--failure-reason',
      'no funds',
    ];
    expectFailure(await stage.run(text), 2, /It must be 1 to 64 letters/);
  });

  test('sends a refund of what is left of the payment, unless the operator gives an amount', async () => {
    recordFromBus();
    const cart = await givenCart();
    const { paymentId } = await send(cart, '--result', 'succeeded');
    const refunded = (...flags: readonly string[]) => send(cart, '--result', 'refunded', ...flags);
    const first = await refunded('--amount', '5.5', '--provider-id', 'r-1');
    const status = { mode: 'test', currency: 'EUR', status: 'completed' };
    const ids = { cartId: cart.id, refundId: 'r-1', paymentId };
    expect(first).toStrictEqual({ outcome: 'recorded', ...ids, amount: 5.5, ...status });
    expect(stage.aws.entries.at(-1)).toMatchObject({ DetailType: 'payment.refunded' });
    stage.clock.advance(60);
    expect(await refunded('--provider-id', ' r-1\n')).toStrictEqual({ ...first, outcome: 'alreadyRecorded' });
    const rest = await refunded();
    expect(rest).toMatchObject({ outcome: 'recorded', amount: 14.49 });
    expect(await refunded()).toStrictEqual({ ...rest, outcome: 'alreadyRecorded' });
    const stored = await stage.carts.test.find(cart.id);
    expect(stored?.refunds).toMatchObject([{ amount: 5.5 }, { amount: 14.49 }]);
    expect(stage.aws.entries).toHaveLength(3);
  });

  test('sends a refund of the payment that the operator names, also before the payment', async () => {
    recordFromBus();
    const cart = await givenCart();
    const paymentId = randomUUID();
    const flags = ['--result', 'refunded', '--payment-id', paymentId, '--provider-id', `r of ${cart.id}`];
    const { stderr } = await stage.run(['payments', 'send', '--cart', cart.id, ...flags]);
    expect(stderr).toBe(
      `The cart has no successful payment ${paymentId}: the refund waits for it, without an effect.\nAfterwards, 0.00 EUR of the payment ${paymentId} is left.\n`,
    );
    expect((await stage.carts.test.find(cart.id))?.earlyRefunds).toMatchObject([
      { paymentId, amount: 19.99 },
    ]);
    const { stdout } = await stage.run(['payments', 'send', '--cart', cart.id, ...flags]);
    expect(stdout).toContain('The refund was recorded before. Nothing changed. A further one needs');
    expect(stdout).toContain(`Payment ${paymentId}\nRefund r of ${cart.id}\n`);
  });

  const paymentId = randomUUID();

  test.each([
    [
      'a time far ahead',
      ['failed', '--occurred-at', '2099-01-01T00:00:00Z'],
      /^--occurred-at must be at most/,
    ],
    ['a malformed time', ['failed', '--occurred-at', 'yesterday'], /RFC 3339/],
    ['a malformed payment id', ['failed', '--payment-id', 'pay-1'], /^--payment-id must be a UUID/],
    ['an empty id', ['failed', '--provider-id', ''], /It must be 1 to 128 printable/],
    [
      'an id with an invisible character',
      ['failed', '--provider-id', 're_\u{200b}1'],
      /It must be 1 to 128 printable/,
    ],
    ['an id with a look-alike', ['failed', '--provider-id', 'r\u{435}_1'], /It must be 1 to 128 printable/],
    ['an amount that is too small', ['failed', '--amount', '0.00001'], /^--amount must be 0, or at least/],
    [
      'a refund of nothing',
      ['refunded', '--payment-id', paymentId, '--amount', '0'],
      /^--amount must be above 0/,
    ],
    [
      'a refund with more decimals than the currency',
      ['refunded', '--payment-id', paymentId, '--amount', '0.001'],
      /^--amount must be above 0 in a refund, with no more decimals/,
    ],
    ['a refund without a payment', ['refunded'], /^--payment-id is missing/],
    ['a payment that exceeds', ['failed', '--exceed'], /^Only a refund can --exceed/],
  ])('rejects %s, and names the one option', async (_what, [result = '', ...flags], message) => {
    const { id } = await givenCart();
    const ended = await stage.run(['payments', 'send', '--cart', id, '--result', result, ...flags]);
    expectFailure(ended, 2, message);
    expect(stage.aws.entries).toStrictEqual([]);
  });

  test('fails if EventBridge accepts the call but not the event', async () => {
    stage.aws.onEvent(async () => 'InternalFailure');
    const cart = await givenCart();

    const ended = await stage.run(['payments', 'send', '--cart', cart.id, '--result', 'succeeded']);
    expect(ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('\nEventBridge rejected the event: InternalFailure.\n'),
    });
  });

  test('sends nothing that the service would reject, and names the reason', async () => {
    const cart = await givenCart();

    expectFailure(
      await stage.run(['payments', 'send', '--cart', cart.id, '--result', 'succeeded', '--amount', '1']),
      1,
      /rejects this payment: amountMismatch/,
    );
    expect(stage.aws.entries).toStrictEqual([]);
  });

  test('rejects an unknown cart and a malformed cart id', async () => {
    const run = (id: string) => stage.run(['payments', 'send', '--cart', id, '--result', 'failed']);

    expectFailure(await run(randomUUID()), 1, /No cart has the id/);
    expectFailure(await run('cart-1'), 2, /A cart id is a UUID/);
  });
});
