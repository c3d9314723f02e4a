import type { Clock } from './clock.ts';

/** How long {@link remember} keeps its results. */
export interface RememberOptions {
  readonly ms: number;
  readonly now: Clock;
}

/**
 * Remembers the results of a lookup, but no failures. Concurrent lookups of the same key share one call.
 *
 * @param options forgets all results at intervals. By default, it forgets none
 */
export const remember = <Key, Value>(
  keyOf: (key: Key) => string,
  look: (key: Key) => Promise<Value>,
  options?: RememberOptions,
): ((key: Key) => Promise<Value>) => {
  const found = new Map<string, Promise<Value>>();
  let forgetAtMs = -Infinity;
  return async (key) => {
    if (options && options.now() >= forgetAtMs) {
      found.clear();
      forgetAtMs = options.now() + options.ms;
    }
    const text = keyOf(key);
    const value = found.get(text) ?? look(key);
    found.set(text, value);
    try {
      return await value;
    } catch (error) {
      found.delete(text);
      throw error;
    }
  };
};
