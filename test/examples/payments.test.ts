import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromMinorUnits, toMinorUnits } from '../../docs/examples/payments/cart.ts';
import { signatureOf } from '../../docs/examples/payments/provider-signature.ts';
import { minorUnitDigits } from '../../lib/products/price.ts';
import { DAY_LIFETIME } from '../support/functions/dependencies.ts';
import { givenPaymentSide, type PaymentSide, SECRETS, SHOP, type Sign } from './support/payment-side.ts';

let side: PaymentSide;

beforeAll(async () => {
  side = await givenPaymentSide();
});

describe('the payment page', () => {
  it('asks the provider for exactly the price of the cart, once per cart', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const { status, location } = await adapter.send(`/pay/${id}`);
    expect({ status, location }).toStrictEqual({ status: 303, location: `https://acme.example/${id}` });
    expect(adapter.created).toMatchObject([
      { idempotencyKey: id, reference: id, amount: 1_999, currency: 'EUR', live: true },
    ]);
  });

  it('creates no payment for a cart that is paid, expired or unknown', async () => {
    const adapter = await side.givenAdapter();
    const paid = await side.givenCart();
    await adapter.notify(side.webhook(paid));
    expect(await adapter.send(`/pay/${paid}`)).toMatchObject({
      status: 303,
      location: `${SHOP}?cartId=${paid}&status=completed`,
    });
    const expired = await side.givenCart();
    side.clock.advance(DAY_LIFETIME.expirySeconds);
    expect(await adapter.send(`/pay/${expired}`)).toMatchObject({
      location: `${SHOP}?cartId=${expired}&status=abandoned`,
    });
    for (const path of [`/pay/${randomUUID()}`, '/pay/none', '//[', '/'])
      expect((await adapter.send(path)).status).toBeGreaterThanOrEqual(404);
    expect(adapter.created).toStrictEqual([]);
  });

  it.each(['EUR', 'JPY', 'KWD', 'CLF'])('converts every price to minor units and back: %s', (currency) => {
    for (const units of [1, 7, 1_999, 4_990, 123_456_789]) {
      const amount = units / 10 ** minorUnitDigits(currency);
      expect(toMinorUnits({ amount, currency })).toBe(units);
      expect(fromMinorUnits(units, currency)).toBe(amount);
    }
  });
});

describe('a webhook of the provider', () => {
  it('completes the cart, and the buyer returns to the merchant', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    expect(await adapter.notify(side.webhook(id))).toBe(204);
    const { paymentId } = adapter.sent[0]!.detail;
    expect(await side.retrieve(id)).toMatchObject({ status: 'completed', paymentId });
    expect(await adapter.send(`/return/${id}?outcome=succeeded`)).toMatchObject({
      status: 303,
      location: `${SHOP}?cartId=${id}&status=completed`,
    });
  });

  it('about a decline leaves the cart open for another attempt', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const { location } = await adapter.send(`/return/${id}?outcome=failed`);
    expect(location).toBe(`${SHOP}?cartId=${id}&status=payment_failed`);
    await adapter.notify(side.webhook(id, { payment: 'first' }, 'payment.declined'));
    expect(await side.retrieve(id)).toMatchObject({ status: 'payment_failed' });
    expect((await adapter.send(`/pay/${id}`)).location).toBe(`https://acme.example/${id}`);
    await adapter.notify(side.webhook(id, { occurredAt: side.nowSeconds() + 1 }));
    expect(await side.retrieve(id)).toMatchObject({ status: 'completed' });
  });

  it.each<[string, Sign]>([
    ['without a signature', () => ({})],
    ['signed with another secret', (body) => side.sign({ secret: 'other' })(body)],
    ['whose bytes were changed', (body) => side.sign()(Buffer.concat([body, Buffer.from(' ')]))],
    ['that was captured six minutes ago', (body) => side.sign({ ageSeconds: 360 })(body)],
    ['of a clock six minutes ahead', (body) => side.sign({ ageSeconds: -360 })(body)],
    ['with half a signature', () => ({ 'Acme-Signature': `t=${side.nowSeconds()},v1=${'0'.repeat(32)}` })],
    ['without a timestamp', (body) => ({ 'Acme-Signature': `v1=${signatureOf('', body, SECRETS[1])}` })],
  ])('%s is rejected, and sends no event', async (_, sign) => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    expect(await adapter.notify(side.webhook(id), sign)).toBe(400);
    expect(adapter.sent).toStrictEqual([]);
    expect(await side.retrieve(id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('is accepted with either secret while the secret changes', async () => {
    const adapter = await side.givenAdapter();
    expect(
      await adapter.notify(side.webhook(await side.givenCart()), side.sign({ secret: SECRETS[0] })),
    ).toBe(204);
  });

  it('that arrives again becomes the same event, which is recorded once', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const webhook = side.webhook(id);
    for (const _ of [1, 2, 3]) {
      expect(await adapter.notify(webhook)).toBe(204);
      side.clock.advance(60);
    }
    const [first, ...others] = adapter.sent;
    expect(others).toStrictEqual([first, first]);
    expect(adapter.deadLetters).toStrictEqual([]);
    expect(await side.countPayments(id)).toBe(1);
  });

  it('gets an error while the bus stores nothing, and succeeds when the provider retries', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const webhook = side.webhook(id);
    adapter.bus.isDown = true;
    expect(await adapter.notify(webhook)).toBe(500);
    expect(adapter.reported.mock.calls).toStrictEqual([['POST failed: Error']]);
    adapter.bus.isDown = false;
    expect(await adapter.notify(webhook)).toBe(204);
    expect(await side.retrieve(id)).toMatchObject({ status: 'completed' });
  });

  it('about a payment after the expiry completes the cart late, by the time of the payment', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    side.clock.advance(DAY_LIFETIME.expirySeconds + 60);
    expect(await adapter.notify(side.webhook(id))).toBe(204);
    expect(await side.retrieve(id)).toMatchObject({ status: 'completed', latePayment: true });
  });

  it('that arrives after the expiry about a payment before it completes the cart in time', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const webhook = side.webhook(id);
    side.clock.advance(DAY_LIFETIME.expirySeconds + 60);
    await adapter.notify(webhook);
    expect(await side.retrieve(id)).not.toHaveProperty('latePayment');
  });

  it.each([
    ['a wrong amount', { amount: 2_000 }],
    ['a wrong currency', { currency: 'USD' }],
    ['the wrong mode', { live: false }],
  ])('about %s becomes a dead letter, and the cart stays unpaid', async (_, changes) => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    expect(await adapter.notify(side.webhook(id, changes))).toBe(204);
    expect(adapter.deadLetters).toHaveLength(1);
    expect(await side.retrieve(id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('about a second payment of a cart leaves the first one in place', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    await adapter.notify(side.webhook(id));
    const { paymentId } = await side.retrieve(id);
    expect(await adapter.notify(side.webhook(id, { payment: 'second' }))).toBe(204);
    expect(await side.retrieve(id)).toMatchObject({ status: 'completed', paymentId });
    expect(await side.countPayments(id)).toBe(2);
  });

  it('about a refund in part puts it on the cart once, although it arrives before that of the payment', async () => {
    const adapter = await side.givenAdapter();
    const id = await side.givenCart();
    const refund = side.webhook(id, { refund: 're-1', amount: 500 }, 'payment.refunded');
    const payment = side.webhook(id);
    for (const webhook of [refund, payment, refund]) expect(await adapter.notify(webhook)).toBe(204);
    expect(adapter.deadLetters).toStrictEqual([]);
    const { paymentId, refunds, refundedAmount } = await side.retrieve(id);
    expect(refunds).toMatchObject([{ id: 'acme-re-1', paymentId, amount: 5, currency: 'EUR' }]);
    expect(refundedAmount).toBe(5);
  });

  it.each(['payment.created', 'constructor'])('of another type is accepted and ignored: %s', async (type) => {
    const adapter = await side.givenAdapter();
    expect(await adapter.notify(side.webhook(randomUUID(), {}, type))).toBe(204);
    expect(adapter.sent).toStrictEqual([]);
  });
});
