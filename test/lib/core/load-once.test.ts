import { describe, expect, it } from 'vitest';
import { loadOnce } from '../../../lib/core/load-once.ts';

const NEVER = new AbortController().signal;

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

const turn = () => new Promise(setImmediate);

describe('a value that is loaded once', () => {
  it('is loaded by the first caller, for all', async () => {
    const { attempts, load } = givenLoad();
    const value = loadOnce(load);
    expect(attempts).toHaveLength(0);
    const waiting = [value(NEVER), value(NEVER)];
    attempts[0]!.resolve('secret');
    expect(await Promise.all([...waiting, value(NEVER)])).toStrictEqual(['secret', 'secret', 'secret']);
    expect(attempts).toHaveLength(1);
  });

  it('is loaded again by the next caller after a failure, which ends no process', async () => {
    const { attempts, load } = givenLoad();
    const value = loadOnce(load);
    const caller = new AbortController();
    const left = value(caller.signal);
    caller.abort(new Error('the time is up'));
    await expect(left).rejects.toThrow('the time is up');
    attempts[0]!.reject(new Error('after the wait of its caller'));
    await turn();
    const waiting = value(NEVER);
    attempts[1]!.reject(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    const retried = value(NEVER);
    attempts[2]!.resolve('secret');
    expect(await retried).toBe('secret');
  });

  it('keeps loading when the signal of a caller ends its wait', async () => {
    const { attempts, load } = givenLoad();
    const value = loadOnce(load);
    const caller = new AbortController();
    const waiting = value(caller.signal);
    caller.abort(new Error('the time is up'));
    await expect(waiting).rejects.toThrow('the time is up');
    await expect(value(caller.signal)).rejects.toThrow('the time is up');
    attempts[0]!.resolve('secret');
    expect(await value(NEVER)).toBe('secret');
    expect(attempts).toHaveLength(1);
  });
});
