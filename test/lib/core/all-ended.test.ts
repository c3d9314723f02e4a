import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { allEnded } from '../../../lib/core/all-ended.ts';

it('works at the same time all end before an error is thrown', async () => {
  const works = [1, 2].map(() => Promise.withResolvers<undefined>());
  let error: unknown;
  const ended = allEnded(works.map(({ promise }) => promise)).catch((thrown: unknown) => (error = thrown));
  works[1]!.reject(new Error('down'));
  await setImmediate();
  expect(error).toBeUndefined();
  works[0]!.resolve(undefined);
  await ended;
  expect(error).toStrictEqual(new Error('down'));
});
