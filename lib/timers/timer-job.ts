import type { StageMetric } from '../telemetry/metric-names.ts';
import type { DueItem, TimerRepository } from './timer-repository.ts';

/** A metric of the delay of timers. */
export type LagMetric = Extract<StageMetric, 'TimerLagSeconds' | 'ErasureLagHours'>;

/** A job for the items of one kind that wait in one table. */
export interface TimerJob {
  /** The name of the job in log lines. */
  readonly name: string;
  readonly lagMetric: LagMetric;
  readonly repository: TimerRepository;
  readonly shards: readonly string[];
  /** How long after the time of its timer an item is due. Default: at once */
  readonly afterMs?: number;
  /**
   * Handles due items, and ends their timers. It skips items that no longer wait. A repetition is harmless.
   *
   * @throws any error. After an outage, the items stay due. Any other error is that of an item, and repeats with it.
   */
  readonly handle: (items: readonly DueItem[], signal: AbortSignal) => Promise<HandledItems>;
}

/** The items of a call that the job handled. */
export interface HandledItems {
  readonly count: number;
  /** The items that failed for a reason of their own, and wait for a later time. */
  readonly failed?: number;
  /** The time of their earliest timer, from which the lag counts. Failures do not move that of a cart, unlike its stored timer. */
  readonly firstTimerAtMs?: number | undefined;
}
