import { describe, expect, it } from 'vitest';
import { loadEagerly } from '../../lib/eager-value.ts';

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

describe('a value that is loaded eagerly', () => {
  it('is loaded once, before the first caller', async () => {
    const { attempts, load } = givenLoad();
    const value = loadEagerly(load);
    expect(attempts).toHaveLength(1);
    const waiting = [value(NEVER), value(NEVER)];
    attempts[0]!.resolve('secret');
    expect(await Promise.all([...waiting, value(NEVER)])).toStrictEqual(['secret', 'secret', 'secret']);
    expect(attempts).toHaveLength(1);
  });

  it('is loaded again by the next caller after a failure, which ends no process', async () => {
    const { attempts, load } = givenLoad();
    const value = loadEagerly(load);
    attempts[0]!.reject(new Error('before any caller'));
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
    const value = loadEagerly(load);
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
