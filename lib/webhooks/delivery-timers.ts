import { type Timer, timerOf } from '../timers/timer.ts';
import type { DeliveryMessage } from './delivery.ts';

/** The timer of an endpoint with parked deliveries: the time of its next probe, or of its drain after a recovery. */
export const probeTimer = (endpointId: string, atMs: number): Timer => timerOf('probe', endpointId, atMs);

/** The timer of a delivery whose next attempt is further away than the queue can delay it. */
export const retryTimer = ({ eventId }: Pick<DeliveryMessage, 'eventId'>, atMs: number): Timer =>
  timerOf('retry', eventId, atMs);

/** The value of `timer` of the parked deliveries of an endpoint. */
export const parkedOf = (endpointId: string): string => `parked#${endpointId}`;

/** The timer of a delivery that waits until its endpoint recovers. The oldest event comes first. */
export const parkedTimer = ({
  endpoint,
  recordedAtMs,
}: Pick<DeliveryMessage, 'endpoint' | 'recordedAtMs'>): Timer => ({
  timer: parkedOf(endpoint.endpointId),
  timerAtMs: recordedAtMs,
});
