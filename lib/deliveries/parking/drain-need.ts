import { type EndpointWithState, hasParked } from '../../endpoints/endpoint.ts';
import { denialOf } from '../leases/lease-conditions.ts';

/** Whether a drain of the slow queue can get slot 0 of an endpoint. */
export const mayDrain = (endpoint: EndpointWithState, nowMs: number): boolean =>
  denialOf(endpoint, 0, { purpose: 'drain', lane: 'slow' }, nowMs) === undefined;

/** Whether to start a drain: deliveries may be parked, and it can get slot 0. */
export const needsDrain = (endpoint: EndpointWithState, nowMs: number): boolean =>
  hasParked(endpoint.state) && mayDrain(endpoint, nowMs);
