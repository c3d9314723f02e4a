// Makes the product's time limits thirty times as long. A limit ends what hangs. On a machine that stalls, it would also
// end what works. Tests that prove a limit have fake timers, or a limit below two seconds. Vitest keeps its own timers.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';

/** Shorter times are pauses, or limits that a test sets. */
const LIMIT_MS_MIN = 2_000;
const FACTOR = 30;

const lengthened = (ms: number): number => (ms >= LIMIT_MS_MIN ? FACTOR * ms : ms);

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
  // Middy imports it.
  timers.setTimeout = globalThis.setTimeout;
  syncBuiltinESMExports();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(lengthened(ms));
  Object.assign(globalThis, { [MARK]: true });
}
