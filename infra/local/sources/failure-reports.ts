import type { Clock } from '../../../lib/core/clock.ts';

/** During an outage, every message and log fails again and again. */
const INTERVAL_MS = 10_000;

/** Creates a function that reports failures of background work: each kind at most once in 10 s. */
export const createFailureReports = (
  print: (line: string) => void,
  now: Clock,
): ((error: unknown) => void) => {
  const reportedAtMs = new Map<string, number>();
  return (error) => {
    const kind = error instanceof Error ? error.name : typeof error;
    if (now() - (reportedAtMs.get(kind) ?? -Infinity) < INTERVAL_MS) return;
    reportedAtMs.set(kind, now());
    const account = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(`The stage could not handle an event or a delivery, and retries: ${account}`);
  };
};
