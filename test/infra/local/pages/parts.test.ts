import { expect, test } from 'vitest';
import { cartPills } from '../../../../infra/local/pages/carts/cart-pills.ts';
import { codeTabs, highlight } from '../../../../infra/local/pages/parts/code.ts';
import { endpointState, endpointStatus } from '../../../../infra/local/pages/webhooks/endpoint-parts.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import { DEMO_LOG, textOf } from './pages.ts';

const PAID = { status: 'completed', paymentId: 'p1', price: { amount: 10, currency: 'EUR' } } as const;

const refundOf = (amount: number, paymentId = 'p1') => ({
  refundId: `r-${paymentId}`,
  paymentId,
  amount,
  currency: 'EUR',
  occurredAtMs: NOW_MS,
});

const TWICE = ['p1', 'p2'].map((paymentId) =>
  payment({ paymentId, eventId: paymentId, result: 'succeeded' }),
);

test.each<[string, Partial<Cart>]>([
  ['waiting payment', { expiresAtMs: NOW_MS + 1 }],
  ['abandoned', { expiresAtMs: NOW_MS }],
  ['payment failed', { status: 'payment_failed' }],
  ['completed', PAID],
  ['completed late', { ...PAID, latePayment: true }],
  ['completed refunded', { ...PAID, refunds: [refundOf(10)] }],
  ['completed partly refunded', { ...PAID, refunds: [refundOf(9.99)] }],
  ['completed paid twice', { ...PAID, payments: TWICE }],
  ['completed', { ...PAID, payments: TWICE, refunds: [refundOf(10, 'p2')] }],
])('the pills of a cart say what happened to it: %s', (text, changes) => {
  expect(textOf(String(cartPills(waitingCart(changes), NOW_MS)))).toBe(text);
});

test.each<[string, string, Partial<EndpointWithState>]>([
  ['enabled', '', { state: { failures: 0 } }],
  ['failing', ' 4 failures in a row', { state: { failures: 4 } }],
  ['paused', ' Your server failed 5 times. Next try due soon', { state: { failures: 5 } }],
  [
    'disabled',
    ' it responded with 410',
    { state: { failures: 5 }, disabled: { atMs: NOW_MS, reason: 'gone' } },
  ],
])('an endpoint says whether it gets events, and why not: %s', (state, cause, changes) => {
  const endpoint: EndpointWithState = {
    ...DEMO_LOG,
    endpointId: 'we_1',
    url: 'https://shop.example',
    createdAtMs: NOW_MS,
    state: { failures: 0 },
    ...changes,
  };
  expect(endpointState(endpoint)).toBe(state);
  expect(textOf(String(endpointStatus(endpoint)))).toBe(state + cause);
});

test('a program keeps its text when it gets colours', () => {
  const text = `const a = 'it\\'s <b>'; // 12\nprint("x", 4.5) # "y"\n`;
  const html = String(highlight(text));
  expect(
    textOf(html)
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
  ).toBe(text);
  for (const part of [
    'word">const',
    'string">&#39;it\\&#39;s &lt;b&gt;&#39;',
    'comment">// 12',
    'number">4.5',
  ])
    expect(html).toContain(`<span class="t-${part}</span>`);
});

test('of the samples in several languages, the first is chosen, and each can be copied', () => {
  const html = String(codeTabs('call', 'the call', { python: 'b', curl: 'a' }));
  const tabs = [...html.matchAll(/value="(\w+)"( checked)?>/g)].map(([, language, checked]) => [
    language,
    checked,
  ]);
  expect(tabs).toStrictEqual([
    ['curl', ' checked'],
    ['python', undefined],
  ]);
  for (const language of ['curl', 'python']) expect(html).toContain(`data-copy="call-${language}"`);
});
