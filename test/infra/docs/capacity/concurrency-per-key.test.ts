import { expect, test } from 'vitest';
import { HTTP_FUNCTION_NAMES } from '../../../../functions/function-needs.ts';
import { OPERATIONS, type OperationName } from '../../../../functions/operations.ts';
import { largestUseOf } from '../../../../infra/cost/aws-use.ts';
import { concurrencyPerKey } from '../../../../infra/docs/capacity/concurrency-per-key.ts';
import { productionStage } from '../../../support/stack/template.ts';

const held = new Map(concurrencyPerKey(productionStage().template).map((row) => [row.functionName, row]));

const NAMES = Object.keys(OPERATIONS) as OperationName[];

test.each(HTTP_FUNCTION_NAMES)(
  'in production, one API key with the default limits never holds all executions of %s',
  (name) => {
    const { executions, burst } = held.get(name)!;
    expect(burst).toBeLessThan(executions);
  },
);

test.each(HTTP_FUNCTION_NAMES)(
  'all day, one API key holds less than half of the executions of %s',
  (name) => {
    const { executions, steady } = held.get(name)!;
    expect(steady).toBeLessThan(executions / 2);
  },
);

test('the executions that a key holds equal the sum by hand', () => {
  // 600 tokens and ten more, each for 40 ms.
  expect(held.get('create-cart-checkout')).toMatchObject({ longestMs: 40, burst: 24.4, steady: 0.4 });
  // The gateway accepts 20 at once and 20 a second, each for 100 ms.
  expect(held.get('expire-cart')).toMatchObject({ longestMs: 100, burst: 4, steady: 1 });
  // Each operation: ten at once and 20 a second. A check of a host holds one more.
  const seconds = NAMES.filter((name) => OPERATIONS[name].functionName === 'webhook-endpoints').map(
    (name) => largestUseOf(name).durationMs / 1_000,
  );
  const sum = seconds.reduce((total, each) => total + 30 * each, 1);
  expect(held.get('webhook-endpoints')?.burst).toBeCloseTo(sum, 9);
  // Ten tokens a second, each for 100 ms.
  expect(held.get('webhook-endpoints')?.steady).toBeCloseTo(2, 9);
});
