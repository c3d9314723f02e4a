import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { createPaymentStores } from '../../../lib/carts/payment-stores.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { expectFailure, saidIn } from '../../support/expect-sentence.ts';
import { BUS_AND_QUEUES, givenOperatedService } from '../../support/operate.ts';
import { waitingCart } from '../../support/payments.ts';

const stage = await givenOperatedService();

afterAll(stage.close);

const givenCart = async (changes: Partial<Cart> = {}): Promise<Cart> => {
  const cart = waitingCart({ mode: 'test', createdAtMs: stage.clock.now(), ...changes });
  return (await stage.carts[cart.mode].create(cart)).cart;
};

/** Records the events of the bus, as the function of a stage does. */
const recordFromBus = (): void =>
  stage.aws.onEvent(async ({ DetailType, Detail }) => {
    const { documents, tableNames } = stage;
    const stores = createPaymentStores(documents, paymentTablesOf(tableNames), stage.clock);
    const parsed = parsePaymentEvent(`{"detail-type":"${DetailType}","detail":${Detail}}`, stage.clock.now());
    if (parsed.ok) await recordPayment(parsed.event, stores[parsed.event.mode]);
    return undefined;
  });

afterEach(() => {
  stage.aws.onEvent(async () => undefined);
  stage.aws.entries.length = 0;
});

const send = (cart: Cart, ...flags: readonly string[]) =>
  stage.runJson('payments', 'send', '--cart', cart.id, ...flags);

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

  test('a repetition with the same event id sends nothing and changes nothing', async () => {
    recordFromBus();
    const cart = await givenCart();
    const flags = ['--result', 'failed', '--event-id', `refund-desk-${cart.id}`];
    const first = await send(cart, ...flags);
    stage.clock.advance(60);

    const second = await send(cart, ...flags);

    expect(second).toStrictEqual({ ...first, outcome: 'alreadyRecorded' });
    expect(stage.aws.entries).toHaveLength(1);
    expect((await stage.carts.test.find(cart.id))?.payments).toHaveLength(1);
  });

  test('a failed payment has the reason of the operator, also in its repetition, and carts show it', async () => {
    recordFromBus();
    const cart = await givenCart();
    const flags = ['--result', 'failed', '--event-id', `desk-${cart.id}`];
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
    const first = await refunded('--amount', '5.5', '--refund-id', 'r-1');
    const status = { mode: 'test', currency: 'EUR', status: 'completed' };
    const ids = { cartId: cart.id, refundId: 'r-1', paymentId };
    expect(first).toStrictEqual({ outcome: 'recorded', ...ids, amount: 5.5, ...status });
    expect(stage.aws.entries.at(-1)).toMatchObject({ DetailType: 'payment.refunded' });
    stage.clock.advance(60);
    expect(await refunded('--refund-id', 'r-1')).toStrictEqual({ ...first, outcome: 'alreadyRecorded' });
    expect(await refunded()).toMatchObject({ outcome: 'recorded', amount: 14.49 });
    const stored = await stage.carts.test.find(cart.id);
    expect(stored?.refunds).toMatchObject([{ amount: 5.5 }, { amount: 14.49 }]);
    expect(stage.aws.entries).toHaveLength(3);
  });

  test('sends a refund of the payment that the operator names, also before the payment', async () => {
    recordFromBus();
    const cart = await givenCart();
    const paymentId = randomUUID();
    const flags = ['--result', 'refunded', '--payment-id', paymentId, '--refund-id', `r of ${cart.id}`];
    const sent = await send(cart, ...flags);
    expect(sent).toMatchObject({ outcome: 'recorded', amount: 19.99, status: 'waiting_payment' });
    expect(await send(cart, ...flags)).toMatchObject({ outcome: 'alreadyRecorded' });
    expect((await stage.carts.test.find(cart.id))?.earlyRefunds).toMatchObject([{ paymentId }]);
    const { stdout } = await stage.run(['payments', 'send', '--cart', cart.id, ...flags]);
    expect(stdout).toContain('The refund was recorded before. Nothing changed.\n');
    expect(stdout).toContain(`Payment ${paymentId}\nRefund r of ${cart.id}\n`);
  });

  test.each([
    ['a refund without a payment', ['refunded'], /--payment-id/],
    [
      'a refund with more decimals than the currency',
      ['refunded', '--payment-id', randomUUID(), '--amount', '0.001'],
      /no more decimals/,
    ],
    ['an --event-id of a refund', ['refunded', '--event-id', 'e'], /A refund has a --refund-id/],
    ['a --refund-id of a payment', ['failed', '--refund-id', 'r'], /a payment an --event-id/],
  ])('rejects %s', async (_what, [result = '', ...flags], message) => {
    const { id } = await givenCart();
    expectFailure(
      await stage.run(['payments', 'send', '--cart', id, '--result', result, ...flags]),
      2,
      message,
    );
    expect(stage.aws.entries).toStrictEqual([]);
  });

  test('fails if the service does not record the event, and reports that it is on the bus', async () => {
    const cart = await givenCart();

    const args = ['payments', 'send', '--cart', cart.id, '--result', 'succeeded', '--json'];
    const { exitCode, stdout, stderr } = await stage.run(args);
    expect({ exitCode, said: saidIn(stderr) }).toStrictEqual({
      exitCode: 1,
      said: 'The payment is not recorded within 15 s: check `carts show` and `dead-letters list`.\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'sent', status: 'waiting_payment' });
  });

  test('fails if EventBridge accepts the call but not the event', async () => {
    stage.aws.onEvent(async () => 'InternalFailure');
    const cart = await givenCart();

    expectFailure(
      await stage.run(['payments', 'send', '--cart', cart.id, '--result', 'succeeded']),
      1,
      /EventBridge rejected the event: InternalFailure/,
    );
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

  test.each([
    ['a time far ahead', ['--occurred-at', '2099-01-01T00:00:00Z'], /in the future/],
    ['a malformed time', ['--occurred-at', 'yesterday'], /RFC 3339/],
    ['a malformed payment id', ['--payment-id', 'pay-1'], /UUID/],
  ])('rejects %s', async (_what, flags, message) => {
    const cart = await givenCart();

    expectFailure(
      await stage.run(['payments', 'send', '--cart', cart.id, '--result', 'failed', ...flags]),
      2,
      message,
    );
    expect(stage.aws.entries).toStrictEqual([]);
  });

  test('rejects an unknown cart and a malformed cart id', async () => {
    const run = (id: string) => stage.run(['payments', 'send', '--cart', id, '--result', 'failed']);

    expectFailure(await run(randomUUID()), 1, /No cart has the id/);
    expectFailure(await run('cart-1'), 2, /A cart id is a UUID/);
  });
});
