import type { Mode } from '../core/mode.ts';
import type { CartsOfMode } from '../carts/find-carts.ts';
import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../core/failure.ts';
import { inParallel } from '../core/in-parallel.ts';
import { logger } from '../core/telemetry.ts';
import type { DueEntry } from './due-entry.ts';
import type { StoredDueEntry } from './due-item.ts';
import type { DueStore } from './due-store.ts';
import { MINUTE_MS, minuteOf, OVERLAP_MINUTES } from './minutes.ts';

/** An entry that concerns the deliveries of an endpoint. */
type DueDelivery = Exclude<DueEntry, { readonly kind: 'expiry' }>;

export interface RunDueDependencies {
  readonly due: DueStore;
  /** The clock of `recordAbandonments` too. With another clock, it could skip a cart that is due here. */
  readonly now: Clock;
  /** Records the abandonment of those carts that are expired, unpaid and not yet recorded. */
  readonly recordAbandonments: (
    carts: CartsOfMode,
    signal?: AbortSignal,
  ) => Promise<{ readonly recorded: number }>;
  /** Handles an entry of a delivery. A repetition is harmless. */
  readonly handleDelivery: (entry: DueDelivery, signal?: AbortSignal) => Promise<void>;
}

/** The result of a run. */
export interface DueRun {
  /** The entries that were handled. */
  readonly handled: number;
  /** The entries that failed. A later run handles them again. */
  readonly failed: number;
  readonly abandoned: Readonly<Record<Mode, number>>;
  /** The greatest delay of a handled entry, in milliseconds. If the run ended early, at least how far it is behind. */
  readonly lagMs: number;
  /** Whether the run reached the present. Otherwise, the next run continues. */
  readonly isComplete: boolean;
}

/** A run that catches up stores its position each time it has handled this many minutes of entries. */
const MINUTES_PER_CHECKPOINT = 60;

/** Carts of one call. More would only make a failed call more expensive to repeat. */
const CARTS_PER_CALL = 1_000;

/** The event log stores concurrent changes of these calls in shared transactions. */
const CALLS_AT_ONCE = 4;

/** A call may keep losing to other writers of a log. It must not use up the run. */
const CALL_MAX_MS = 20_000;

const DELIVERIES_AT_ONCE = 10;

/** After the first failure, the next run handles the entry again. Then the pauses double, up to 15 minutes. */
const POSTPONE_MIN_MS = 1_000;
const POSTPONE_MAX_MINUTES = 15;

const postponedMs = (failures: number): number =>
  failures === 0 ? POSTPONE_MIN_MS : MINUTE_MS * Math.min(POSTPONE_MAX_MINUTES, 2 ** (failures - 1));

interface ExpiryEntry extends StoredDueEntry {
  readonly entry: Extract<DueEntry, { readonly kind: 'expiry' }>;
}

const isExpiryOf =
  (mode: Mode) =>
  (stored: StoredDueEntry): stored is ExpiryEntry =>
    stored.entry?.kind === 'expiry' && stored.entry.mode === mode;

/** Groups entries into calls of about {@link CARTS_PER_CALL} carts. */
const inCalls = (entries: readonly ExpiryEntry[]): ExpiryEntry[][] => {
  const calls: ExpiryEntry[][] = [];
  let carts = Infinity;
  for (const stored of entries) {
    const { length } = stored.entry.cartIds;
    if (carts + length > CARTS_PER_CALL) {
      calls.push([]);
      carts = 0;
    }
    calls.at(-1)?.push(stored);
    carts += length;
  }
  return calls;
};

/** One run. Its methods return whether all the entries that they got are handled or postponed. */
class Run {
  handled = 0;
  failed = 0;
  readonly abandoned: Record<Mode, number> = { live: 0, test: 0 };
  lagMs = 0;
  readonly #dependencies: RunDueDependencies;
  readonly #signal: AbortSignal | undefined;
  readonly #startMs: number;

  constructor(dependencies: RunDueDependencies, signal: AbortSignal | undefined, startMs: number) {
    this.#dependencies = dependencies;
    this.#signal = signal;
    this.#startMs = startMs;
  }

  get isOver(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** Handles the entries of a minute. */
  async minute(minuteMs: number): Promise<boolean> {
    try {
      return await this.#pages(minuteMs);
    } catch (error) {
      if (this.isOver) return false;
      throw error;
    }
  }

  async #pages(minuteMs: number): Promise<boolean> {
    let isClear = true;
    for await (const page of this.#dependencies.due.read(minuteMs, this.#signal)) {
      const entries = page.filter(({ dueAtMs }) => dueAtMs <= this.#startMs);
      const parts = await Promise.all([
        this.#expiries('live', entries),
        this.#expiries('test', entries),
        this.#others(entries.filter(({ entry }) => entry?.kind !== 'expiry')),
      ]);
      isClear = parts.every(Boolean) && isClear;
      if (this.isOver) return false;
    }
    return isClear;
  }

  #callSignal(): AbortSignal {
    const limit = AbortSignal.timeout(CALL_MAX_MS);
    return this.#signal ? AbortSignal.any([this.#signal, limit]) : limit;
  }

  async #expiries(mode: Mode, entries: readonly StoredDueEntry[]): Promise<boolean> {
    const calls = inCalls(entries.filter(isExpiryOf(mode)));
    const results: boolean[] = [];
    await inParallel(calls, CALLS_AT_ONCE, async (call) => results.push(await this.#expire(mode, call)));
    return results.every(Boolean);
  }

  /** Records the abandonments of entries together. If that fails, one by one, so that only the cause is postponed. */
  async #expire(mode: Mode, entries: readonly ExpiryEntry[]): Promise<boolean> {
    if (this.isOver) return false;
    try {
      const cartIds = entries.flatMap(({ entry }) => entry.cartIds);
      const call = { mode, cartIds };
      const { recorded } = await this.#dependencies.recordAbandonments(call, this.#callSignal());
      this.abandoned[mode] += recorded;
    } catch (error) {
      if (this.isOver) return false;
      const [first, ...others] = entries;
      if (first && others.length === 0) return this.#postpone(first, error);
      const alone: boolean[] = [];
      await inParallel(entries, CALLS_AT_ONCE, async (stored) =>
        alone.push(await this.#expire(mode, [stored])),
      );
      return alone.every(Boolean);
    }
    const results: boolean[] = [];
    await inParallel(entries, DELIVERIES_AT_ONCE, async (stored) => results.push(await this.#done(stored)));
    return results.every(Boolean);
  }

  async #others(entries: readonly StoredDueEntry[]): Promise<boolean> {
    const results: boolean[] = [];
    await inParallel(entries, DELIVERIES_AT_ONCE, async (stored) =>
      results.push(await this.#deliver(stored)),
    );
    return results.every(Boolean);
  }

  async #deliver(stored: StoredDueEntry): Promise<boolean> {
    if (this.isOver) return false;
    try {
      if (!stored.entry || stored.entry.kind === 'expiry')
        throw new Error('The kind of the entry is unknown');
      await this.#dependencies.handleDelivery(stored.entry, this.#signal);
    } catch (error) {
      return this.isOver ? false : this.#postpone(stored, error);
    }
    return this.#done(stored);
  }

  async #done(stored: StoredDueEntry): Promise<boolean> {
    this.lagMs = Math.max(this.lagMs, this.#dependencies.now() - stored.dueAtMs);
    this.handled += 1;
    try {
      await this.#dependencies.due.done(stored, this.#signal);
      return true;
    } catch (error) {
      // The next run handles it again, which is harmless.
      logger.warn('due entry', { outcome: 'not deleted', cause: describeFailure(error) });
      return false;
    }
  }

  /** Moves an entry that failed to a later run. It stays where it is if that fails too. */
  async #postpone(stored: StoredDueEntry, cause: unknown): Promise<boolean> {
    const { entry, failures } = stored;
    this.failed += 1;
    logger.error('due entry', {
      outcome: 'failed',
      kind: entry?.kind ?? 'unknown',
      failures: failures + 1,
      cause: describeFailure(cause),
    });
    try {
      const { due, now } = this.#dependencies;
      await due.postpone(stored, now() + postponedMs(failures), this.#signal);
      return true;
    } catch (error) {
      logger.warn('due entry', { outcome: 'not postponed', cause: describeFailure(error) });
      return false;
    }
  }
}

/**
 * Handles the work that is due, minute by minute, from the stored position to the present. Runs at the same time are
 * harmless. If a run dies, the next one repeats the entries that it did not delete.
 *
 * An entry that fails moves to a later run, and blocks no other. An entry that cannot be moved holds the position.
 *
 * @param signal ends the run early. The next run continues from there.
 * @throws any error of the SDK if DynamoDB does not return the position or the entries
 */
export const runDue = async (dependencies: RunDueDependencies, signal?: AbortSignal): Promise<DueRun> => {
  const { due, now } = dependencies;
  const stored = await due.readPosition(signal);
  // After the first response of DynamoDB, the clock is right.
  const startMs = now();
  const lastMinuteMs = minuteOf(startMs);
  const caughtUpMs = lastMinuteMs - OVERLAP_MINUTES * MINUTE_MS;
  const firstMinuteMs = Math.min(stored ?? caughtUpMs, caughtUpMs);
  const run = new Run(dependencies, signal, startMs);

  /** Everything before this minute is handled. */
  let positionMs = firstMinuteMs;
  let isClear = true;
  let storedMs = stored ?? -Infinity;
  const storePosition = async (): Promise<void> => {
    const nextMs = Math.min(positionMs, caughtUpMs);
    if (nextMs <= storedMs) return;
    await due.movePosition(nextMs);
    storedMs = nextMs;
  };
  for (let minuteMs = firstMinuteMs; minuteMs <= lastMinuteMs && !run.isOver; minuteMs += MINUTE_MS) {
    // oxlint-disable no-await-in-loop -- earlier minutes come first
    isClear = (await run.minute(minuteMs)) && isClear;
    if (isClear) positionMs = minuteMs + MINUTE_MS;
    const minutes = (minuteMs - firstMinuteMs) / MINUTE_MS + 1;
    if (isClear && minutes % MINUTES_PER_CHECKPOINT === 0) await storePosition();
    // oxlint-enable no-await-in-loop
  }
  await storePosition();
  const isComplete = isClear && !run.isOver;
  const behindMs = isComplete ? 0 : startMs - positionMs;
  const { handled, failed, abandoned } = run;
  return { handled, failed, abandoned, lagMs: Math.max(run.lagMs, behindMs), isComplete };
};
