import { expect, test } from 'vitest';
import { limitConcurrency } from '../../../infra/local/concurrency.ts';

/** Work that the test ends, and that notes its name when it begins. */
const givenWork = (began: string[], name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (): Promise<string> => {
    began.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

/** Lets everything that is ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('only two run at once, and the others begin in the order in which they came', async () => {
  const began: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => givenWork(began, name));
  if (!a || !b || !c || !d) throw new Error('No work');
  const limited = limitConcurrency(2);
  const results = [a, b, c, d].map(({ work }) => limited(work));
  await settle();
  expect(began).toStrictEqual(['a', 'b']);

  b.end();
  await settle();
  expect(began).toStrictEqual(['a', 'b', 'c']);

  a.fail();
  await expect(results[0]).rejects.toThrow('a');
  await settle();
  expect(began).toStrictEqual(['a', 'b', 'c', 'd']);

  c.end();
  d.end();
  expect(await Promise.all(results.slice(1))).toStrictEqual(['b', 'c', 'd']);
});

test('a place that was returned is free for later work', async () => {
  const limited = limitConcurrency(1);
  await limited(async () => 'first');
  expect(await limited(async () => 'second')).toBe('second');
});
