import type { Clock } from './clock.ts';

interface MemoOptions<Key> {
  /** Keys with the same text share a value. Default: the key itself. */
  readonly keyOf?: (key: Key) => string;
  /** Forgets all values at these intervals. Default: never. */
  readonly forget?: { readonly everyMs: number; readonly now: Clock };
}

/** Remembers loaded values. Concurrent callers share one load. It remembers no failure, and no `undefined`. */
export const memo = <Value, Key = void>(
  load: (key: Key) => Promise<Value>,
  { keyOf, forget }: MemoOptions<Key> = {},
): ((key: Key) => Promise<Value>) => {
  const values = new Map<unknown, Promise<Value>>();
  let forgetAtMs = -Infinity;
  return async (key) => {
    if (forget && forget.now() >= forgetAtMs) {
      values.clear();
      forgetAtMs = forget.now() + forget.everyMs;
    }
    const name = keyOf ? keyOf(key) : key;
    const loading = values.get(name) ?? load(key);
    values.set(name, loading);
    const value = await loading.catch((error: unknown) => {
      values.delete(name);
      throw error;
    });
    if (value === undefined) values.delete(name);
    return value;
  };
};
