import { expect, test } from 'vitest';
import { checkPayments, type PaymentsHistory } from './check.ts';

const completed = (cartId: string) => ({ id: `evt_${cartId}`, type: 'cart.completed', cartId }) as const;
const webhook = (id: string, status = 204) => ({ headers: { 'webhook-id': id }, status });

const [FIRST, SECOND] = [completed('1'), completed('2')];
const CORRECT: PaymentsHistory = {
  paid: ['1', '2'],
  events: [FIRST, SECOND],
  received: [webhook('evt_1', 500), webhook('evt_2'), webhook('evt_1'), webhook('evt_1')],
};

const EVENT = 'each payment has exactly one event';
const WEBHOOK = 'each event has a webhook';

test.each<[example: string, rules: readonly string[], changes: Partial<PaymentsHistory>]>([
  ['nothing, if a delivery fails at first, and another one comes twice', [], {}],
  ['a payment without an event', [EVENT], { events: [SECOND] }],
  ['two events of a payment', [EVENT], { events: [FIRST, FIRST, SECOND] }],
  ['an event of another type', [EVENT], { events: [{ ...FIRST, type: 'cart.abandoned' }, SECOND] }],
  ['an event without a payment', [EVENT], { paid: ['2'] }],
  ['an event that was never sent', [WEBHOOK], { received: [webhook('evt_2')] }],
  ['a delivery that always failed', [WEBHOOK], { received: [webhook('evt_1', 500), webhook('evt_2')] }],
])('the check reports %s', (_, rules, changes) => {
  expect(checkPayments({ ...CORRECT, ...changes }).map(({ rule }) => rule)).toStrictEqual(rules);
});
