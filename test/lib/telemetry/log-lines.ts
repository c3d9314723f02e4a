import { expect, vi } from 'vitest';

/** The time of the lines. */
export const NOW_MS = 1_790_000_000_123;

/** The lines of JSON that a call writes to standard output. The test file must restore the clock. */
export const linesOf = (call: () => void): unknown[] => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  call();
  return write.mock.calls.map(([chunk]) => {
    expect(chunk).toMatch(/^[^\n]+\n$/);
    return JSON.parse(String(chunk)) as unknown;
  });
};
