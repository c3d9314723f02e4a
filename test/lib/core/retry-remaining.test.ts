import { expect, it } from 'vitest';
import { retryRemaining } from '../../../lib/core/retry-remaining.ts';
import { givenPauses } from '../../support/pauses.ts';

const BACK_OFF = { firstMs: 20, maxMs: 100 };

it('items that are left are sent again, and returned after the last attempt', async () => {
  const { pauses } = givenPauses();
  const sent: (readonly string[])[] = [];
  const send = (items: readonly string[]): Promise<readonly string[]> => {
    sent.push(items);
    return Promise.resolve(items.slice(1));
  };
  expect(await retryRemaining(['a', 'b', 'c'], send, { ...BACK_OFF, attemptsMax: 2, pauses })).toStrictEqual([
    'c',
  ]);
  expect(sent).toStrictEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
  ]);
  expect(await retryRemaining(['a', 'b'], send, { ...BACK_OFF, pauses })).toStrictEqual([]);
});
