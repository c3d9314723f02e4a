import { type Mode, MODES } from '../core/mode.ts';
import { type CartsOfMode, findCarts, type FoundCart } from '../carts/find-carts.ts';
import type { PaymentTables } from '../carts/payment-stores.ts';
import type { Clock } from '../core/clock.ts';
import { DAY_MS } from '../core/durations.ts';
import type { Documents } from '../core/documents.ts';
import { isOutage } from '../core/errors.ts';
import { describeFailure } from '../core/failure.ts';
import { inParallel } from '../core/in-parallel.ts';
import { inParts } from '../core/in-parts.ts';
import { logger } from '../core/telemetry.ts';
import { type CartEraser, createCartEraser } from './cart-eraser.ts';
import { awaitsErasure } from './erased-cart.ts';
import type { ErasureLedger } from './erasure-ledger.ts';
import {
  createErasureSchedule,
  type ErasureEntry,
  type ErasureSchedule,
  keptSince,
} from './erasure-schedule.ts';

export interface RunErasuresDependencies {
  readonly schedule: ErasureSchedule;
  /** How long the stage keeps the personal data of a completed cart, in whole days. */
  readonly personalDataDays: number;
  readonly findCarts: (carts: CartsOfMode, signal?: AbortSignal) => Promise<readonly FoundCart[]>;
  readonly eraser: CartEraser;
  readonly now: Clock;
}

/**
 * A ledger without entries. The retention needs none: by a restored cart's age, `buyers schedule-erasures` finds it, and the
 * next run erases it.
 */
const NO_LEDGER: Pick<ErasureLedger, 'add'> = { add: () => Promise.resolve() };

/** The dependencies of {@link runErasures} in DynamoDB. */
export const createErasureDependencies = (
  documents: Documents,
  { cartsTable, testCartsTable, dueTable }: Pick<PaymentTables, 'cartsTable' | 'testCartsTable' | 'dueTable'>,
  { personalDataDays, now }: Pick<RunErasuresDependencies, 'personalDataDays' | 'now'>,
): RunErasuresDependencies => {
  const reads = { documents, tables: { live: cartsTable, test: testCartsTable }, now };
  return {
    schedule: createErasureSchedule(documents, dueTable),
    personalDataDays,
    findCarts: (carts, signal) => findCarts(carts, reads, signal),
    eraser: createCartEraser(documents, NO_LEDGER, now),
    now,
  };
};

/** The result of a run. */
export interface ErasureRun {
  /** The carts whose personal data it erased. */
  readonly erased: Readonly<Record<Mode, number>>;
  /** The carts that failed. The next run retries them. */
  readonly failed: number;
  /** How long the oldest remaining entry has been due, in milliseconds. 0 if the run handled all. */
  readonly lagMs: number;
}

interface FailedCart {
  readonly cartId: string;
  readonly error: unknown;
}

/** One cart takes a few milliseconds, and about a write unit for each KB. */
const ERASURES_AT_ONCE = 10;

/** One run over the entries that are due. */
class Run {
  readonly erased: Record<Mode, number> = { live: 0, test: 0 };
  failed = 0;
  lagMs = 0;
  /** Whether DynamoDB is slow, throttles or is down. */
  #isInterrupted = false;
  readonly #dependencies: RunErasuresDependencies;
  readonly #signal: AbortSignal | undefined;
  readonly #nowMs: number;

  constructor(dependencies: RunErasuresDependencies, signal: AbortSignal | undefined) {
    this.#dependencies = dependencies;
    this.#signal = signal;
    this.#nowMs = dependencies.now();
  }

  get #isOver(): boolean {
    return this.#signal?.aborted ?? false;
  }

  get #keptSinceMs(): number {
    return keptSince(this.#dependencies.personalDataDays, this.#nowMs);
  }

  async entriesOf(mode: Mode): Promise<void> {
    const { schedule } = this.#dependencies;
    try {
      for await (const page of schedule.read(mode, this.#keptSinceMs, this.#signal)) {
        for (const entry of page) {
          // oxlint-disable-next-line no-await-in-loop -- the oldest first, and few carts in memory
          if (!(await this.#entry(entry))) this.#leave(entry);
          if (this.#isOver || this.#isInterrupted) return;
        }
      }
    } catch (error) {
      if (!this.#isOver) throw error;
    }
  }

  /** Measures the lag of a remaining entry. It is due from the end of the last day for which the stage keeps the data. */
  #leave({ completedFromMs }: ErasureEntry): void {
    const dueAtMs = completedFromMs + (this.#dependencies.personalDataDays + 1) * DAY_MS;
    this.lagMs = Math.max(this.lagMs, this.#nowMs - dueAtMs);
  }

  /** Handles an entry. Returns whether it is complete. */
  async #entry(entry: ErasureEntry): Promise<boolean> {
    const { mode, id } = entry;
    const cartIds = [...new Set(entry.cartIds)];
    if (cartIds.length === 0) {
      // A later release may have stored it in another form.
      return this.#report(id, [{ error: new Error('The entry is malformed') }]);
    }
    try {
      const failed = await this.#carts({ mode, cartIds });
      const left = failed.map(({ cartId }) => cartId);
      if (left.length < cartIds.length) await this.#dependencies.schedule.keep(entry, left, this.#signal);
      return this.#report(id, failed);
    } catch (error) {
      if (this.#isOver) return false;
      if (!isOutage(error)) throw error;
      this.#isInterrupted = true;
      logger.warn('erasures', { outcome: 'interrupted', cause: describeFailure(error) });
      return false;
    }
  }

  /** Reports the failures of an entry. Returns whether there is none. */
  #report(entry: string, failures: readonly (Partial<FailedCart> & Pick<FailedCart, 'error'>)[]): boolean {
    const [first] = failures;
    if (!first) return true;
    const failed = failures.length;
    this.failed += failed;
    logger.error('erasure', { entry, failed, cartId: first.cartId, cause: describeFailure(first.error) });
    return false;
  }

  /** Erases the carts that are due. Returns those that fail for a reason of their own. */
  async #carts(carts: CartsOfMode): Promise<readonly FailedCart[]> {
    let found: readonly FoundCart[];
    try {
      found = await this.#dependencies.findCarts(carts, this.#signal);
    } catch (error) {
      if (this.#isOver || isOutage(error)) throw error;
      return this.#halves(carts, error);
    }
    const completed = found.filter(({ cart }) => awaitsErasure(cart));
    const [due, young] = [completed.filter(this.#isDue), completed.filter((each) => !this.#isDue(each))];
    // A late correction moved their completion to a later day.
    await this.#dependencies.schedule.put(
      young.map(({ cart }) => cart),
      this.#signal,
    );
    const failed: FailedCart[] = [];
    await inParallel(due, ERASURES_AT_ONCE, async (each) => {
      try {
        const erased = await this.#dependencies.eraser.erase([each], this.#signal);
        this.erased[carts.mode] += erased;
      } catch (error) {
        if (this.#isOver || isOutage(error)) throw error;
        failed.push({ cartId: each.cart.id, error });
      }
    });
    return failed;
  }

  readonly #isDue = ({ cart }: FoundCart): boolean => cart.updatedAtMs < this.#keptSinceMs;

  /** Finds the carts that cannot be read. */
  async #halves({ mode, cartIds }: CartsOfMode, error: unknown): Promise<readonly FailedCart[]> {
    const [cartId = ''] = cartIds;
    if (cartIds.length === 1) return [{ cartId, error }];
    const parts = inParts(cartIds, Math.ceil(cartIds.length / 2));
    return (await Promise.all(parts.map((part) => this.#carts({ mode, cartIds: part })))).flat();
  }
}

/**
 * Erases the personal data of completed carts that the stage has kept for long enough. It sends no event. Call it after the
 * due work of the same run: it takes as long as the signal permits, and the next run continues.
 *
 * A cart that fails stays in its entry, and blocks no other. An outage ends the run. Runs at the same time are harmless.
 *
 * @throws any error of the SDK if DynamoDB does not return the entries
 */
export const runErasures = async (
  dependencies: RunErasuresDependencies,
  signal?: AbortSignal,
): Promise<ErasureRun> => {
  const run = new Run(dependencies, signal);
  for (const mode of MODES) {
    // oxlint-disable-next-line no-await-in-loop -- live carts first
    await run.entriesOf(mode);
  }
  const { erased, failed, lagMs } = run;
  return { erased, failed, lagMs };
};
