import { type Timer, timerOf } from '../timers/timer.ts';
import type { DeliveryMessage } from './delivery.ts';

/** The timer of a delivery whose next attempt is further away than the queue can delay it. */
export const retryTimer = ({ eventId }: Pick<DeliveryMessage, 'eventId'>, atMs: number): Timer =>
  timerOf('retry', eventId, atMs);

/** The value of `timer` of the parked deliveries of an endpoint. */
export const parkedOf = (endpointId: string): string => `parked#${endpointId}`;

/**
 * The timer of a delivery that waits until its endpoint recovers. Its time is that of the parking: a drain cannot end the timer
 * of a delivery that was parked again.
 */
export const parkedTimer = ({ endpoint }: Pick<DeliveryMessage, 'endpoint'>, nowMs: number): Timer => ({
  timer: parkedOf(endpoint.endpointId),
  timerAtMs: nowMs,
});
