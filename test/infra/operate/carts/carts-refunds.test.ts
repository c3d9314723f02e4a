import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Payment } from '../../../../lib/carts/payment.ts';
import type { Refund } from '../../../../lib/carts/refund.ts';
import { recordPaymentEvent } from '../../../../lib/payments/record-payment-event.ts';
import { paymentRecordRepositoryOf } from '../../../support/domain/event-logs.ts';
import { payment, refund, waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';

test('carts show has refunds with their events, and which duplicate payments need no further one', async () => {
  const stage = await givenOperatedService();
  onTestFinished(() => stage.close());
  const repositories = {
    carts: stage.carts.test,
    paymentRecords: paymentRecordRepositoryOf(stage, 'testCarts', stage.clock.now),
  };
  const record = (cartId: string, report: { payment: Payment } | { refund: Refund }) =>
    recordPaymentEvent({ cartId, mode: 'test', ...report }, repositories);
  const cart = waitingCart({ mode: 'test', storeId: randomUUID() });
  const { id } = (await stage.carts.test.create(cart)).cart;
  const [paid, refunded, partly] = [payment(), payment(), payment()];
  for (const each of [paid, refunded, partly]) await record(id, { payment: each });
  const amounts = [
    refund({ paymentId: paid.paymentId, amount: 4 }),
    refund({ paymentId: refunded.paymentId, amount: 19.99 }),
    refund({ paymentId: partly.paymentId, amount: 5.5 }),
    refund({ paymentId: randomUUID(), amount: 1 }),
  ];
  for (const each of amounts) await record(id, { refund: each });
  const shown = await stage.runJson<{ timeline: { what: string }[] }>('carts', 'show', id);
  expect(shown).toMatchObject({ refundedAmount: 4, refunds: [{}, {}, {}] });
  const whats = shown.timeline.map(({ what }) => what);
  expect(whats.filter((what) => what === 'refund')).toHaveLength(3);
  expect(whats.filter((what) => what === 'earlyRefund')).toHaveLength(1);
  // The completion, two duplicate payments and three refunds.
  expect(whats.filter((what) => what === 'event')).toHaveLength(6);
  const { stdout } = await stage.run(['carts', 'show', id]);
  expect(stdout).toContain('\nRefunded 4.00 EUR\n');
  expect(stdout).toContain(`Duplicate payment ${refunded.paymentId}: refunded\n`);
  expect(stdout).toContain(`Duplicate payment ${partly.paymentId}: refund 14.49 EUR\n`);
  const [given] = amounts;
  expect(stdout).toContain(`refund  4.00 EUR, payment ${paid.paymentId}, refund ${given?.refundId}\n`);
});
