import { isOpen } from '../endpoints/breaker.ts';
import type { Disabled, EndpointState } from '../endpoints/endpoint.ts';

/** Whether deliveries may be parked: no drain has found none since the last one was. */
export const hasParked = ({ parks, drainedParks }: EndpointState): boolean => parks !== drainedParks;

/**
 * Whether a drain can get slot 0: it is free, and the breaker is closed or its next probe is due. The deliveries of a disabled
 * endpoint are dropped without a probe.
 */
export const mayDrain = (
  { disabled, state }: { readonly disabled?: Disabled | undefined; readonly state: EndpointState },
  nowMs: number,
): boolean => {
  const { slot0UntilMs = 0, probeAtMs = 0 } = state;
  return slot0UntilMs <= nowMs && (disabled !== undefined || !isOpen(state) || probeAtMs <= nowMs);
};
