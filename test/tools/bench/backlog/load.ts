/** The deliveries of a simulation. */
export interface Load {
  /** The deliveries to endpoints that respond slowly. */
  readonly slowDeliveries: number;
  /** How many of them the fan-out puts into the queue each second. */
  readonly slowPerSecond: number;
  readonly slowEndpoints: number;
  readonly healthyEndpoints: number;
  readonly healthyPerSecond: number;
}

export interface Simulated {
  readonly inFlightMax: number;
  readonly invocationsMax: number;
  readonly concurrency: number;
  /** From the arrival in the queue to the attempt. */
  readonly healthyDelaysMs: readonly number[];
  readonly healthyCount: number;
  readonly attemptsAtSlow: number;
  readonly parked: number;
  /** The longest time from the recovery of the slow endpoints to their last delivery. */
  readonly recoverySeconds: number;
  readonly recoveryInFlightMax: number;
  /** The attempts at slow endpoints in all. */
  readonly attempts: number;
  /** The deliveries to slow endpoints that were never sent. */
  readonly notSent: number;
}

/** A response with 200 just within the time limit, so that the breaker never opens. */
export const SLOW_MS = 9_500;

/** The time of a call to DynamoDB. */
export const CALL_MS = 5;
