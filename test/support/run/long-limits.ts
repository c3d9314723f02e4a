// Makes the product's time limits thirty times as long. Otherwise, a machine that stalls for seconds would let a limit end
// calls that work. A test of a limit has fake timers, or a limit below two seconds. Vitest keeps its own timers.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';

/** Shorter times stay: they are pauses, or limits that a test sets. */
const LIMIT_MS_MIN = 2_000;
const FACTOR = 30;

/** Node.js makes a longer timer fire after 1 ms. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const lengthened = (ms: number): number =>
  ms >= LIMIT_MS_MIN && ms <= TIMER_MS_MAX ? Math.min(FACTOR * ms, TIMER_MS_MAX) : ms;

const MARK = Symbol.for('long limits');

// Each test file of a worker loads this module again.
if (!Object.hasOwn(globalThis, MARK)) {
  const start = globalThis.setTimeout;
  const startLong = <Args extends unknown[]>(
    work: (...args: Args) => void,
    ms = 0,
    ...args: Args
  ): NodeJS.Timeout => start(work, lengthened(ms), ...args);
  globalThis.setTimeout = Object.assign(startLong, start);
  // Middy imports the function from `node:timers`.
  timers.setTimeout = globalThis.setTimeout;
  syncBuiltinESMExports();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(lengthened(ms));
  Object.assign(globalThis, { [MARK]: true });
}
