import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { ACTIONS, type Action } from '../../../functions/sandbox-checkout/actions.ts';
import { parseAction } from '../../../functions/sandbox-checkout/form.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { paymentRecordRepositoryOf } from '../../support/domain/event-logs.ts';
import { payment, refund } from '../../support/domain/payments.ts';
import { givenSandbox, type TestSandbox } from './sandbox.ts';

const DAY_SECONDS = 86_400;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const SUCCESSES = ['pay', 'pay_late', 'pay_twice', 'out_of_order'];

const database = await givenDatabase();
const sandbox = await givenSandbox(undefined, database);

/** Records a refund of a test cart as the payment side reports it. */
const record = (cartId: string, given: Refund) => {
  const paymentRecords = paymentRecordRepositoryOf(database, 'testCarts', sandbox.clock.now);
  return recordPaymentEvent({ cartId, mode: 'test', refund: given }, { ...sandbox, paymentRecords });
};

describe('a waiting cart', () => {
  /** The cart after each action. */
  const AFTER: Readonly<Record<Action, object>> = {
    pay: { status: 'completed', payments: { length: 1 } },
    decline: { status: 'payment_failed', payments: { length: 1 } },
    leave: { status: 'waiting_payment' },
    expire: { status: 'waiting_payment', abandonmentRecordedAtMs: expect.any(Number) },
    pay_late: { status: 'completed', latePayment: true, payments: { length: 1 } },
    pay_twice: { status: 'completed', payments: [{ result: 'succeeded' }, { result: 'succeeded' }] },
    out_of_order: { status: 'completed', payments: [{ result: 'failed' }, { result: 'succeeded' }] },
    wrong_amount: { status: 'waiting_payment' },
    refund: { status: 'waiting_payment' },
  };

  it.each(ACTIONS)('is changed by the action, which leads to the right page: %s', async (action) => {
    const id = await sandbox.givenCart();
    const { status, headers } = await sandbox.submit(id, `action=${action}`);
    const cart = await sandbox.stored(id);
    expect(cart).toMatchObject(AFTER[action]);
    expect(cart.latePayment ?? false).toBe(action === 'pay_late');
    expect(status).toBe(303);
    const own: Partial<Record<Action, string>> = {
      expire: `./${id}`,
      wrong_amount: `./${id}?notice=wrong_amount`,
      refund: `./${id}?notice=nothing_to_refund`,
    };
    const address = `https://shop.example/thanks?cartId=${id}&status=${cart.status}`;
    expect(headers['location']).toBe(own[action] ?? address);
  });

  it('keeps every attribute after leave, wrong_amount and refund', async () => {
    const id = await sandbox.givenCart();
    const before = await sandbox.stored(id);
    await sandbox.submit(id, 'action=leave');
    await sandbox.submit(id, 'action=wrong_amount');
    await sandbox.submit(id, 'action=refund');
    expect(await sandbox.stored(id)).toStrictEqual(before);
  });
});

describe('a cart whose payment failed', () => {
  it('accepts no failure after the hundredth, shows a notice, and can still be paid', async () => {
    const payments = Array.from({ length: 99 }, () => payment({ result: 'failed' }));
    const id = await sandbox.givenCart({ status: 'payment_failed', payments });
    const locations = [];
    for (let attempt = 0; attempt < 2; attempt += 1)
      locations.push((await sandbox.submit(id, 'action=decline')).headers['location']);
    expect(locations).toStrictEqual([
      `https://shop.example/thanks?cartId=${id}&status=payment_failed`,
      `./${id}?notice=too_many_payments`,
    ]);
    await sandbox.submit(id, 'action=pay');
    expect(await sandbox.stored(id)).toMatchObject({ status: 'completed' });
  });
});

describe('an expired cart', () => {
  const givenExpiredCart = async (): Promise<[TestSandbox, string]> => {
    const aging = await givenSandbox(undefined, database);
    const id = await aging.givenCart();
    aging.clock.advance(DAY_SECONDS);
    return [aging, id];
  };

  it.each(SUCCESSES)('is completed late by %s', async (action) => {
    const [aging, id] = await givenExpiredCart();
    aging.clock.advance(60);
    const { headers } = await aging.submit(id, `action=${action}`);
    expect(headers['location']).toContain('status=completed');
    expect(await aging.stored(id)).toMatchObject({ status: 'completed', latePayment: true });
  });

  it.each(['decline', 'leave'])('stays abandoned after %s, as the return address says', async (action) => {
    const [aging, id] = await givenExpiredCart();
    const { headers } = await aging.submit(id, `action=${action}`);
    expect(headers['location']).toBe(`https://shop.example/thanks?cartId=${id}&status=abandoned`);
  });
});

describe('a completed cart', () => {
  it.each(ACTIONS)('keeps its status, payment and time: %s', async (action) => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay');
    const { paymentId, updatedAtMs } = await sandbox.stored(id);
    sandbox.clock.advance(60);
    const { status, headers } = await sandbox.submit(id, `action=${action}`);
    expect(status).toBe(303);
    const isRejected = action === 'wrong_amount' || action === 'expire';
    const own = action === 'refund' ? `./${id}` : 'status=completed';
    expect(headers['location']).toContain(isRejected ? 'notice=' : own);
    expect(await sandbox.stored(id)).toMatchObject({ status: 'completed', paymentId, updatedAtMs });
  });

  it('is refunded in full by payment, a duplicate payment first, and then no further', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay_twice');
    const { paymentId, payments } = await sandbox.stored(id);
    const duplicate = payments?.find((each) => each.paymentId !== paymentId)?.paymentId;
    const locations = [];
    for (let i = 0; i < 3; i += 1) {
      sandbox.clock.advance(1);
      locations.push((await sandbox.submit(id, 'action=refund')).headers['location']);
    }
    expect(locations).toStrictEqual([`./${id}`, `./${id}`, `./${id}?notice=nothing_to_refund`]);
    const amount = { amount: 19.99, currency: 'EUR' };
    expect((await sandbox.stored(id)).refunds).toMatchObject([
      { paymentId: duplicate, ...amount },
      { paymentId, ...amount },
    ]);
  });

  it('is refunded by what is left', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay');
    const { paymentId = '' } = await sandbox.stored(id);
    await record(id, refund({ paymentId, occurredAtMs: sandbox.clock.now() }));
    sandbox.clock.advance(1);
    await sandbox.submit(id, 'action=refund');
    expect((await sandbox.stored(id)).refunds).toMatchObject([{ amount: 5 }, { amount: 14.99 }]);
  });

  it('is refunded once by two clicks at the same time', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay');
    const clicks = [0, 1].map(() => sandbox.submit(id, 'action=refund'));
    for (const { status } of await Promise.all(clicks)) expect(status).toBe(303);
    expect((await sandbox.stored(id)).refunds).toHaveLength(1);
  });

  it('shows a notice if it has had too many refunds', async () => {
    const refunds = Array.from({ length: 20 }, () => refund({ paymentId: 'p-1', amount: 0.01 }));
    const payments = [payment({ paymentId: 'p-1' })];
    const id = await sandbox.givenCart({ status: 'completed', paymentId: 'p-1', payments, refunds });
    const { headers } = await sandbox.submit(id, 'action=refund');
    expect(headers['location']).toBe(`./${id}?notice=nothing_to_refund`);
  });

  it('that was paid late stays late after a payment that happened in time', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay_late');
    const { paymentId, updatedAtMs } = await sandbox.stored(id);
    await sandbox.submit(id, 'action=pay');
    expect(await sandbox.stored(id)).toMatchObject({ latePayment: true, paymentId, updatedAtMs });
  });

  it('keeps its status when it is paid while the buyer declines', async () => {
    let payMeanwhile = async (): Promise<void> => {};
    const racing = await givenSandbox(
      (carts) => ({
        carts: {
          find: async (cartId, signal) => {
            const cart = await carts.find(cartId, signal);
            const pay = payMeanwhile;
            payMeanwhile = async () => {};
            await pay();
            return cart;
          },
        },
      }),
      database,
    );
    const id = await racing.givenCart();
    payMeanwhile = async () => void (await racing.submit(id, 'action=pay'));
    const { status, headers } = await racing.submit(id, 'action=decline');
    expect({ status, location: headers['location'] }).toStrictEqual({
      status: 303,
      location: `https://shop.example/thanks?cartId=${id}&status=completed`,
    });
    const { payments = [], ...cart } = await racing.stored(id);
    expect(payments.map(({ result }) => result).toSorted()).toStrictEqual(['failed', 'succeeded']);
    expect(cart.status).toBe('completed');
  });
});

describe('the redirect', () => {
  it.each([
    ['pay', ''],
    ['decline', ''],
    ['leave', '?notice=left'],
  ])('leads to the page itself without a return address, under any prefix: %s', async (action, query) => {
    const id = await sandbox.givenCart({ returnUrl: undefined });
    const { headers } = await sandbox.submit(id, `action=${action}`);
    const page = `https://api.example/stage/sandbox/checkout/${id}`;
    expect(new URL(headers['location'] ?? '', page).href).toBe(`${page}${query}`);
  });

  it.each([
    ['leave', 'http://basket.example/?cartId='],
    ['pay', 'https://shop.example/?cartId='],
  ])(
    'leads who leaves to the cancel address, and who pays to the return address: %s',
    async (action, address) => {
      const addresses = { returnUrl: 'https://shop.example', cancelUrl: 'http://basket.example' };
      const id = await sandbox.givenCart(addresses);
      const page = await sandbox.show(id);
      expect(page.headers['content-security-policy']).toMatch(/form-action 'self' https:$/);
      expect(page.body).toContain(`<a class="back" href="http://basket.example/?cartId=${id}&amp;`);
      const { headers } = await sandbox.submit(id, `action=${action}`);
      expect(headers['location']).toContain(address);
    },
  );

  it('has exactly these headers', async () => {
    const id = await sandbox.givenCart();
    const { headers } = await sandbox.submit(id, 'action=pay');
    expect(headers).toStrictEqual({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-request-id': expect.stringMatching(UUID),
      location: `https://shop.example/thanks?cartId=${id}&status=completed`,
    });
  });
});

describe('the form', () => {
  it.each([
    ['application/x-www-form-urlencoded; charset=UTF-8', 'action=pay'],
    ['APPLICATION/X-WWW-FORM-URLENCODED', 'other=1&action=pay'],
    ['application/x-www-form-urlencoded', 'action=%70ay'],
    [' application/x-www-form-urlencoded ;charset=UTF-8', 'action=pay'],
    ['application/x-www-form-urlencoded', `action=pay&${'x'.repeat(1_013)}`],
    // API Gateway passes on bytes that are not UTF-8 in base64.
    ['application/x-www-form-urlencoded', 'other=\xFF&action=pay'],
  ])('is accepted as %s: %s', async (contentType, body) => {
    const id = await sandbox.givenCart();
    const { status } = await sandbox.submit(id, body, { headers: { 'CONTENT-TYPE': contentType } });
    expect(status).toBe(303);
    expect(await sandbox.stored(id)).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['an unknown action', 'action=pay_back'],
    ['an action in another case', 'action=PAY'],
    ['a property of every object', 'action=constructor'],
    ['no action', 'amount=1'],
    ['no body', ''],
    ['two actions', 'action=pay&action=decline'],
    ['a JSON body', '{"action":"pay"}'],
    ['bytes that are not UTF-8', 'action=pay\xFF'],
    ['a body of 1,025 characters', `action=pay&${'x'.repeat(1_014)}`],
  ])('with %s is rejected with a page, and records nothing', async (_, body) => {
    const id = await sandbox.givenCart();
    const before = await sandbox.stored(id);
    const response = await sandbox.submit(id, body);
    expect(response.status).toBe(422);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toContain('<h1>Please choose again</h1>');
    expect(await sandbox.stored(id)).toStrictEqual(before);
  });

  it('of 10 MB in base64 is rejected before it is decoded', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const event = { headers, body: 'A'.repeat(10_000_000), isBase64Encoded: true };
    const decoding = vi.spyOn(Buffer, 'from');
    expect(parseAction(event as unknown as APIGatewayProxyEvent)).toMatchObject({ ok: false });
    expect(decoding).not.toHaveBeenCalled();
  });

  it.each([
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'x-application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded-x',
    '',
    undefined,
  ])('of the content type "%s" is rejected', async (contentType) => {
    const id = await sandbox.givenCart();
    const headers = { 'Content-Type': contentType };
    expect((await sandbox.submit(id, 'action=pay', { headers })).status).toBe(422);
    expect(await sandbox.stored(id)).toMatchObject({ status: 'waiting_payment' });
  });
});
