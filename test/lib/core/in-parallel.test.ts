import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inParallel } from '../../../lib/core/in-parallel.ts';

/** Items in parallel, whose works the test settles by hand. */
const givenItems = (count: number, atOnce: number) => {
  const works: PromiseWithResolvers<undefined>[] = [];
  const state: { end?: 'succeeded' | { readonly error: unknown } } = {};
  const work = () => {
    const started = Promise.withResolvers<undefined>();
    works.push(started);
    return started.promise;
  };
  const ended = inParallel(Array.from({ length: count }), atOnce, work).then(
    () => (state.end = 'succeeded'),
    (error: unknown) => (state.end = { error }),
  );
  return { works, state, ended };
};

describe('items in parallel', () => {
  it('are all processed, at most so many at the same time', async () => {
    const { works, state, ended } = givenItems(3, 2);
    expect(works).toHaveLength(2);
    works[1]!.resolve(undefined);
    await setImmediate();
    expect(works).toHaveLength(3);
    works[2]!.resolve(undefined);
    await setImmediate();
    expect(state.end).toBeUndefined();
    works[0]!.resolve(undefined);
    expect(await ended).toBe('succeeded');
  });

  it('after an error, end only when none is in flight, with the first error', async () => {
    const { works, state, ended } = givenItems(9, 3);
    const first = new Error('first');
    works[2]!.reject(first);
    await setImmediate();
    expect(state.end).toBeUndefined();
    works[0]!.reject(new Error('second'));
    await setImmediate();
    expect(state.end).toBeUndefined();
    works[1]!.resolve(undefined);
    expect(await ended).toStrictEqual({ error: first });
    expect(works).toHaveLength(3);
  });
});
