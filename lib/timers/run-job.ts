import { isRetryable } from '../aws/errors.ts';
import type { Clock } from '../core/clock.ts';
import { inParallel } from '../core/in-parallel.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { postponeFailed } from './postpone-failed.ts';
import type { TimerJob } from './timer-job.ts';
import type { DueItem, TimerRepository } from './timer-repository.ts';

/** The result of a run for one {@link TimerJob}. */
export interface JobResult {
  readonly handled: number;
  /** The items that failed for a reason of their own, and wait for a later time. */
  readonly failed: number;
  /** The greatest delay of an item that was handled, or that is still due. */
  readonly lagMs: number;
  /** Whether nothing that was due is left. */
  readonly isComplete: boolean;
  /** Why DynamoDB did not return the due items of a timer. The run cannot know how many there are. */
  readonly unread?: Error;
}

/** The pages that are handled at the same time. The event log stores their changes in shared transactions. */
const PAGES_AT_ONCE = 4;

/** A call may keep losing to other writers of a log. It must not use up the run. */
const CALL_MAX_MS = 20_000;

/** The run of one job. */
class JobRun {
  handled = 0;
  failed = 0;
  lagMs = 0;
  isComplete = true;
  unread: Error | undefined;
  readonly #job: TimerJob;
  readonly #signal: AbortSignal;
  readonly #untilMs: number;

  constructor(job: TimerJob, now: Clock, signal: AbortSignal) {
    this.#job = job;
    this.#signal = signal;
    this.#untilMs = now() - (job.afterMs ?? 0);
  }

  /** Handles a page of each shard in turn. */
  async handleAll(): Promise<void> {
    const { repository, shards } = this.#job;
    let open = shards.map((shard) => repository.due(shard, this.#untilMs, this.#signal));
    while (open.length > 0) {
      const unfinished: typeof open = [];
      // oxlint-disable-next-line no-await-in-loop -- a page of each shard in turn
      await inParallel(open, PAGES_AT_ONCE, async (pages) => {
        if (await this.#nextPage(pages)) unfinished.push(pages);
      });
      open = unfinished;
    }
  }

  /** Handles the next page. Returns whether there may be another one. */
  async #nextPage(pages: ReturnType<TimerRepository['due']>): Promise<boolean> {
    if (this.#signal.aborted) {
      // The items that are left stay due.
      this.isComplete = false;
      return false;
    }
    try {
      const page = await pages.next();
      if (page.done === true) return false;
      await this.#handle(page.value);
      return true;
    } catch (error) {
      // Other shards may still be readable.
      if (!this.#signal.aborted) this.unread ??= error as Error;
      this.isComplete = false;
      return false;
    }
  }

  #noteLag(firstTimerAtMs = this.#untilMs): void {
    this.lagMs = Math.max(this.lagMs, this.#untilMs - firstTimerAtMs);
  }

  async #handle(items: readonly DueItem[]): Promise<void> {
    if (items.length === 0) return;
    try {
      const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(CALL_MAX_MS)]);
      const { count, failed = 0, firstTimerAtMs } = await this.#job.handle(items, signal);
      this.handled += count;
      this.failed += failed;
      this.#noteLag(firstTimerAtMs);
    } catch (error) {
      await this.#handleFailure(items, error);
    }
  }

  async #handleFailure(items: readonly DueItem[], error: unknown): Promise<void> {
    const { name } = this.#job;
    const [first] = items;
    if (this.#signal.aborted || isRetryable(error)) {
      this.isComplete = false;
      this.#noteLag(first?.timerAtMs);
      logger.warn('timers', { job: name, outcome: 'still due', cause: describeFailure(error) });
    } else if (first && items.length === 1) {
      this.failed += 1;
      await postponeFailed(this.#job, first, error, this.#untilMs);
    } else {
      // Halving finds the item that fails.
      const middle = Math.ceil(items.length / 2);
      await this.#handle(items.slice(0, middle));
      await this.#handle(items.slice(middle));
    }
  }
}

/**
 * Handles the due items of a job. It never throws. A run may end at any time, because an item stays due until it is handled.
 * Two runs at the same time do no harm.
 *
 * An item that fails for a reason of its own gets a later time, and blocks no other.
 *
 * @param signal ends the run early
 */
export const runJob = async (job: TimerJob, now: Clock, signal: AbortSignal): Promise<JobResult> => {
  const run = new JobRun(job, now, signal);
  await run.handleAll();
  const { handled, failed, lagMs, isComplete, unread } = run;
  return { handled, failed, lagMs, isComplete, ...(unread && { unread }) };
};
