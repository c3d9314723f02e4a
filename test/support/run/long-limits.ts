// Makes the product's time limits thirty times as long. Otherwise, a machine that stalls for seconds would let a limit end
// calls that work. A test of a limit has fake timers, or a limit below two seconds. Vitest keeps its own timers.
// Long pauses are lengthened too: a local stage that no test uses then takes no CPU, and no test waits for its schedule.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

/** Shorter times stay: they are short pauses, or limits that a test sets. */
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
  const sleep = timersPromises.setTimeout;
  timersPromises.setTimeout = (ms = 0, ...rest) => sleep(lengthened(ms), ...rest);
  syncBuiltinESMExports();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(lengthened(ms));
  Object.assign(globalThis, { [MARK]: true });
}
