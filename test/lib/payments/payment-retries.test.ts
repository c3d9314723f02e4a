import { expect, it } from 'vitest';
import { outageDelaySeconds, PAYMENT_RECEIVES_MAX } from '../../../lib/payments/payment-retries.ts';

it.each([
  [1, 5],
  [2, 15],
  [3, 45],
  [4, 135],
  [5, 300],
  [PAYMENT_RECEIVES_MAX, 300],
  // An operator may raise the maximum of the queue.
  [1_000, 300],
])('in an outage, an event returns after receive %i within %i s', (receiveCount, seconds) => {
  expect(outageDelaySeconds(receiveCount)).toBe(seconds);
});

it('the last attempt comes more than an hour after the first', () => {
  const delays = Array.from({ length: PAYMENT_RECEIVES_MAX - 1 }, (_, index) =>
    outageDelaySeconds(index + 1),
  );
  expect(delays.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(70 * 60);
});
