import { expect, test } from 'vitest';
import { limitInvocations } from '../../../infra/local/invocations.ts';

/** Work that notes its name when it begins. The test ends it. */
const givenWork = (began: string[], name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (): Promise<string> => {
    began.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

/** Waits for the end of an iteration of the event loop. */
const iteration = () => new Promise((resolve) => setImmediate(resolve));

/** Lets all ready work run. */
const settle = async (): Promise<void> => {
  for (let count = 0; count < 5; count += 1) await iteration();
};

test('at most two run at once, and the others start in the order of their arrival', async () => {
  const began: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => givenWork(began, name));
  if (!a || !b || !c || !d) throw new Error('No work');
  const limited = limitInvocations(2);
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

test('the first starts at once, and each other in an iteration of the event loop of its own', async () => {
  const limited = limitInvocations();
  for (const names of [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]) {
    const began: string[] = [];
    const works = names.map((name) => givenWork(began, name));
    const results = works.map(({ work }) => limited(work));
    await Promise.resolve();
    for (const [index] of names.entries()) {
      expect(began).toStrictEqual(names.slice(0, index + 1));
      await iteration();
    }
    for (const { end } of works) end();
    await Promise.all(results);
    await settle();
  }
});

test('finished work leaves its place to later work', async () => {
  const limited = limitInvocations(1);
  await limited(async () => 'first');
  expect(await limited(async () => 'second')).toBe('second');
});
