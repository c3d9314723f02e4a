import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FUNCTION_TIMEOUT_MS } from '../../../infra/stage/function-limits.ts';
import { startDatabaseDeadline } from '../../../lib/http/database-deadline.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => vi.useRealTimers());

const startAfterWait = (waitedMs: number) =>
  startDatabaseDeadline({ getRemainingTimeInMillis: () => FUNCTION_TIMEOUT_MS - waitedMs });

it.each([
  [0, 4_000],
  [750, 4_000],
  [751, 3_999],
  [4_749, 1],
])('after a wait of %i ms, the calls of a request have %i ms', (waitedMs, leftMs) => {
  const { signal } = startAfterWait(waitedMs);
  vi.advanceTimersByTime(leftMs - 1);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

it.each([4_750, 6_000])('after a wait of %i ms, the calls of a request fail at once', (waitedMs) => {
  const deadline = startAfterWait(waitedMs);
  expect(deadline.signal.aborted).toBe(true);
  expect(() => deadline.cancel()).not.toThrow();
});
