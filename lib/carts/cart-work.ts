import { DAY_MS } from '../core/durations.ts';
import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import type { Mode } from '../core/mode.ts';
import { countCarts } from '../core/telemetry.ts';
import type { EventLog } from '../events/event-log.ts';
import type { TimerWork } from '../timers/run-timers.ts';
import { createTimerStore, type DueItem } from '../timers/timer-store.ts';
import { type TimerKind, timersOf } from '../timers/timer.ts';
import { createAbandonmentStore } from './abandonment-store.ts';
import { createCartEraser } from './cart-eraser.ts';
import { awaitsErasure, awaitsExpiry } from './cart-timer.ts';
import type { Cart } from './cart.ts';
import type { ErasureLedger } from './erasure-ledger.ts';
import { type CartTable, findCarts } from './find-carts.ts';

/** The work of the carts of a table that wait. */
interface CartWork extends Pick<TimerWork, 'name' | 'lagMetric' | 'untilMs'> {
  readonly kind: Extract<TimerKind, 'expiry' | 'erasure'>;
  /** Whether a cart waits for this work. */
  readonly awaits: (cart: Cart) => boolean;
  /** Since when the work is due. */
  readonly dueAtMs: (cart: Cart) => number;
  /** Does the work, and ends the timers. Returns how many carts it changed. */
  readonly handleDue: (carts: readonly Cart[], signal: AbortSignal) => Promise<number>;
}

const firstOf = (timesMs: readonly number[]): number | undefined =>
  timesMs.length === 0 ? undefined : Math.min(...timesMs);

/** Handles carts that are due. Each cart decides, read consistently: the index may still show a timer that has ended. */
const createCartWork = (
  table: CartTable,
  { name, lagMetric, kind, untilMs, awaits, dueAtMs, handleDue }: CartWork,
): TimerWork => {
  const store = createTimerStore(table.documents, table.tableName);
  const idOf = ({ key }: DueItem): string => String(key['id']);
  return {
    name,
    lagMetric,
    store,
    timers: timersOf(kind),
    untilMs,
    async handle(items, signal) {
      const found = await findCarts(items.map(idOf), table, signal);
      const waiting = found.filter(awaits);
      const waitingIds = new Set(waiting.map(({ id }) => id));
      const ended = items.filter((item) => !waitingIds.has(idOf(item)));
      await inParallel(ended, WRITES_AT_ONCE, (item) => store.clear(item, signal));
      const due = waiting.filter((cart) => dueAtMs(cart) <= untilMs(table.now()));
      return { count: await handleDue(due, signal), firstDueAtMs: firstOf(due.map(dueAtMs)) };
    },
  };
};

/**
 * Records the abandonments of the carts of a mode that have expired without a payment, each with its event. A cart that is
 * paid, or whose abandonment is recorded, only loses its timer.
 *
 * @param log the log of the carts' events. It stores the changes of a page in a few transactions
 */
export const createExpiryWork = (mode: Mode, table: CartTable, log: EventLog): TimerWork => {
  const abandonments = createAbandonmentStore(table.tableName, log);
  return createCartWork(table, {
    name: `${mode} expiries`,
    lagMetric: 'DueLagSeconds',
    kind: 'expiry',
    untilMs: (nowMs) => nowMs,
    awaits: awaitsExpiry,
    dueAtMs: ({ expiresAtMs }) => expiresAtMs,
    async handleDue(carts, signal) {
      const nowMs = table.now();
      const saved = await Promise.allSettled(carts.map((cart) => abandonments.save(cart, nowMs, signal)));
      const abandoned = saved.filter((each) => each.status === 'fulfilled' && each.value).length;
      if (mode === 'live' && abandoned > 0) countCarts('CartsAbandoned', mode, abandoned);
      // After the count: a repetition finds those that are saved.
      for (const each of saved) if (each.status === 'rejected') throw each.reason as Error;
      return abandoned;
    },
  });
};

/** The retention needs no ledger: a restored cart has its timer, and the next run erases it again. */
const NO_LEDGER: Pick<ErasureLedger, 'add'> = { add: () => Promise.resolve() };

/**
 * Erases the buyers' data of the carts of a mode that were completed long enough ago. It sends no event.
 *
 * @param personalDataDays how long the stage keeps the personal data of a completed cart, in days
 */
export const createErasureWork = (mode: Mode, table: CartTable, personalDataDays: number): TimerWork => {
  const { documents, tableName, now } = table;
  const eraser = createCartEraser(documents, NO_LEDGER, now);
  return createCartWork(table, {
    name: `${mode} erasures`,
    lagMetric: 'ErasureLagHours',
    kind: 'erasure',
    untilMs: (nowMs) => nowMs - personalDataDays * DAY_MS,
    awaits: awaitsErasure,
    dueAtMs: ({ completedAtMs = 0 }) => completedAtMs,
    handleDue: (carts, signal) =>
      eraser.erase(
        carts.map((cart) => ({ tableName, cart })),
        signal,
      ),
  });
};
