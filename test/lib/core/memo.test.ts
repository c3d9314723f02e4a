import { describe, expect, it, vi } from 'vitest';
import { memo } from '../../../lib/core/memo.ts';
import { manualClock } from '../../support/clock.ts';

/** A load whose attempts the test settles by hand. */
const givenLoad = () => {
  const attempts: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const attempt = Promise.withResolvers<string>();
    attempts.push(attempt);
    return attempt.promise;
  };
  return { attempts, load };
};

describe('a remembered value', () => {
  it('is loaded by the first caller, for all', async () => {
    const { attempts, load } = givenLoad();
    const value = memo(load);
    expect(attempts).toHaveLength(0);
    const waiting = [value(), value()];
    attempts[0]!.resolve('secret');
    expect(await Promise.all([...waiting, value()])).toStrictEqual(['secret', 'secret', 'secret']);
    expect(attempts).toHaveLength(1);
  });

  it('is loaded again by the next caller after a failure', async () => {
    const { attempts, load } = givenLoad();
    const value = memo(load);
    const waiting = [value(), value()];
    attempts[0]!.reject(new Error('down'));
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
    const retried = value();
    attempts[1]!.resolve('secret');
    expect(await retried).toBe('secret');
    expect(attempts).toHaveLength(2);
  });

  it('is loaded for each key, by the text of a key', async () => {
    const load = vi.fn(async ({ id }: { readonly id: number }) => `value ${id}`);
    const value = memo(load, { keyOf: ({ id }) => String(id) });
    expect(await Promise.all([value({ id: 1 }), value({ id: 2 }), value({ id: 1 })])).toStrictEqual([
      'value 1',
      'value 2',
      'value 1',
    ]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('is forgotten after its time, and the absence of a value at once', async () => {
    const clock = manualClock();
    const load = vi.fn(async (id: string): Promise<string | undefined> => `secret of ${id}`);
    const value = memo(load, { forget: { everyMs: 60_000, now: clock.now } });
    load.mockResolvedValueOnce(undefined);
    expect(await value('a')).toBeUndefined();
    for (let second = 0; second < 60; second += 10) {
      expect(await value('a')).toBe('secret of a');
      clock.advance(10);
    }
    expect(load).toHaveBeenCalledTimes(2);
    await value('a');
    expect(load).toHaveBeenCalledTimes(3);
  });
});
