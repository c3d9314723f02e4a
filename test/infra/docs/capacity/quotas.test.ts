import { expect, test } from 'vitest';
import { OPERATION_USE } from '../../../../infra/cost/aws-use.ts';
import { QUOTAS } from '../../../../infra/docs/capacity/quotas.ts';

test('each quota has a source', () => {
  for (const { source } of QUOTAS) {
    expect(source).toMatch(/^(https:\/\/docs\.aws\.amazon\.com\/\S+\.html|infra\/\S+\.ts)$/);
  }
});

test('a request holds an execution for its seconds, on average over a creation and three retrievals', () => {
  const { createCartCheckout, getCart } = OPERATION_USE;
  const seconds = (createCartCheckout.usual.durationMs + 3 * getCart.usual.durationMs) / 4_000;
  const quota = QUOTAS.find(({ name }) => name.startsWith('Lambda, concurrent executions'));
  expect(quota?.usePerRequest).toBeCloseTo(seconds, 9);
});
