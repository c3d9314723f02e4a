import { describe, expect, it } from 'vitest';
import { TrueClock } from '../../../lib/core/true-clock.ts';
import { NOW_MS } from '../../support/clock.ts';

const DAY_MS = 86_400_000;

/** A machine whose clock is wrong by `skewMs`, in a world whose time passes as the test says. */
const givenMachine = (skewMs: number) => {
  let trueMs = NOW_MS;
  const machine = { skewMs };
  const clock = new TrueClock({
    machineNow: () => trueMs + machine.skewMs,
    monotonicNow: () => trueMs - NOW_MS + 7,
  });
  const pass = (ms: number): void => {
    trueMs += ms;
  };
  return {
    clock,
    pass,
    /** Sets the machine's clock. */
    step: (ms: number) => {
      machine.skewMs = ms;
    },
    /** Makes a call that takes so long each way. */
    call(thereMs = 5, backMs = 5, header?: string): void {
      const endCall = clock.startCall();
      pass(thereMs);
      const date = header ?? new Date(trueMs).toUTCString();
      pass(backMs);
      endCall(date);
    },
    errorMs: () => clock.now() - trueMs,
    now: () => trueMs,
  };
};

describe('the true clock', () => {
  it.each([0, 400, -200])('keeps the clock of its machine if the header allows it: %i ms wrong', (skewMs) => {
    // The header's second began 250 ms before NOW_MS.
    const { call, errorMs } = givenMachine(skewMs);
    call();
    expect(errorMs()).toBe(skewMs);
  });

  it.each([1_000, -1_000, 60_000, -60_000, DAY_MS, -DAY_MS])(
    'is right within a second and the round trip after one response, and nearly right after some: %i ms wrong',
    (skewMs) => {
      const { call, clock, errorMs, pass } = givenMachine(skewMs);
      expect([errorMs(), clock.isConfirmed()]).toStrictEqual([skewMs, false]);
      call();
      expect(Math.abs(errorMs())).toBeLessThanOrEqual(1_010);
      expect(clock.isConfirmed()).toBe(true);
      for (let second = 0; second < 40; second += 1) {
        pass(1_037);
        call();
      }
      expect(Math.abs(errorMs())).toBeLessThan(50);
    },
  );

  it('moves by the least amount: to the edge of the header’s second', () => {
    const ahead = givenMachine(60_000);
    ahead.call(5, 5);
    // The request left at NOW_MS by then. The second ends 750 ms later.
    expect(ahead.errorMs()).toBe(750);
    const behind = givenMachine(-60_000);
    behind.call(5, 5);
    // The response came 10 ms after NOW_MS. The second began 250 ms before it.
    expect(behind.errorMs()).toBe(-260);
  });

  it.each([60_000, -60_000, DAY_MS])('ignores a step of its machine: %i ms', (stepMs) => {
    const { call, errorMs, step, pass } = givenMachine(0);
    call();
    step(stepMs);
    pass(10_000);
    expect(errorMs()).toBe(0);
  });

  it('is confirmed for a minute after each response', () => {
    const { call, clock, pass } = givenMachine(0);
    call();
    pass(60_000);
    expect(clock.isConfirmed()).toBe(true);
    pass(1);
    expect(clock.isConfirmed()).toBe(false);
    call();
    expect(clock.isConfirmed()).toBe(true);
  });

  it('is corrected but not confirmed by a response that takes more than a second', () => {
    const { call, clock, errorMs } = givenMachine(60_000);
    call(500, 501);
    expect(Math.abs(errorMs())).toBeLessThanOrEqual(2_001);
    expect(clock.isConfirmed()).toBe(false);
  });

  it.each<[string, thereMs: number, backMs: number, header?: string]>([
    ['has no date', 5, 5, ''],
    ['has an unreadable date', 5, 5, 'soon'],
    ['came before its request, by the clock of a test', 5, -6],
  ])('learns nothing from a response that %s', (_, thereMs, backMs, header) => {
    const { call, clock, errorMs } = givenMachine(60_000);
    call(thereMs, backMs, header);
    expect([errorMs(), clock.isConfirmed()]).toStrictEqual([60_000, false]);
  });
});

describe('the clock of a request', () => {
  it.each([60_000, -60_000, DAY_MS])('has the gateway’s time until a response: %i ms wrong', (skewMs) => {
    const { call, clock, now, pass } = givenMachine(skewMs);
    const request = clock.during(now());
    pass(40);
    expect([request.now() - now(), request.isConfirmed()]).toStrictEqual([0, false]);
    call();
    expect(Math.abs(request.now() - now())).toBeLessThanOrEqual(1_010);
    expect(request.isConfirmed()).toBe(true);
    pass(60_001);
    expect(clock.during(now() - 30).now() - now()).toBe(-30);
  });

  it('is never before the gateway’s time, as in an environment that stood still', () => {
    const { call, clock, now } = givenMachine(0);
    call();
    expect(clock.during(now() + 50_000).now() - now()).toBe(50_000);
    expect(clock.during(now() - 50_000).now() - now()).toBe(0);
  });
});

it('the elapsed time of a request is right, although a response corrects its clock', () => {
  const { call, clock, now } = givenMachine(0);
  // The gateway received the request half a minute before the function did.
  const request = clock.during(now() - 30_000);
  call(20, 20);
  expect([request.now() - now(), request.elapsedMs()]).toStrictEqual([0, 40]);
});

describe('the report of a wrong clock', () => {
  it.each([
    [60_000, 59_250],
    [-60_000, -59_740],
    [900, 'none'],
    [0, 'none'],
  ])('is the first difference of a second or more: %i ms', async (skewMs, expected) => {
    const { call, clock, pass } = givenMachine(skewMs);
    for (let second = 0; second < 3; second += 1) {
      call();
      pass(1_000);
    }
    expect(await Promise.race([clock.skewMs, Promise.resolve('none')])).toBe(expected);
  });
});
