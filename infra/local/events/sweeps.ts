import type { Clock } from '../../../lib/core/clock.ts';
import type { LogId } from '../../../lib/events/store-event.ts';
import type { StoreDirectory } from '../../../lib/stores/store-directory.ts';

/** Each log costs one query. With up to ten stores, a turn covers all logs. */
const LOGS_PER_TURN = 20;

const STORES_KEPT_MS = 5_000;

/**
 * Creates the function that takes a turn: it sweeps the next logs of the known stores, and restarts after the last one.
 */
export const createSweeps = (
  stores: Pick<StoreDirectory, 'list'>,
  sweep: (log: LogId) => Promise<void>,
  now: Clock,
): (() => Promise<void>) => {
  let logs: readonly LogId[] = [];
  let readAtMs = -Infinity;
  let next = 0;
  return async () => {
    if (now() - readAtMs >= STORES_KEPT_MS) {
      const ids = (await stores.list()).map(({ id }) => id).toSorted();
      logs = ids.flatMap((storeId) => [
        { storeId, mode: 'test' },
        { storeId, mode: 'live' },
      ]);
      readAtMs = now();
    }
    if (next >= logs.length) next = 0;
    const turn = logs.slice(next, next + LOGS_PER_TURN);
    next += LOGS_PER_TURN;
    for (const log of turn) await sweep(log);
  };
};
