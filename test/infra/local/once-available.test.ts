import { expect, test } from 'vitest';
import { onceAvailable } from '../../../infra/local/once-available.ts';

const TIMEOUT = Object.assign(new Error('No response in time'), { name: 'TimeoutError' });
const NO_PAUSES = { sleep: async () => undefined, random: () => 0 };

/** A call that fails with these errors, then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors];
  let count = 0;
  const call = async (): Promise<void> => {
    count += 1;
    const error = left.shift();
    if (error) throw error;
  };
  return { call, count: () => count };
};

const forever = new AbortController().signal;

test('a database that is slow at first is called until it responds', async () => {
  const { call, count } = failing(TIMEOUT, TIMEOUT);
  await onceAvailable(call, forever, NO_PAUSES);
  expect(count()).toBe(3);
});

test('an error that a retry cannot mend is thrown at once', async () => {
  const { call, count } = failing(new Error('The table has another key'));
  await expect(onceAvailable(call, forever, NO_PAUSES)).rejects.toThrow('The table has another key');
  expect(count()).toBe(1);
});

test('without time, the first failure is thrown', async () => {
  const { call, count } = failing(TIMEOUT);
  await expect(onceAvailable(call, AbortSignal.abort(), NO_PAUSES)).rejects.toThrow('No response in time');
  expect(count()).toBe(1);
});
