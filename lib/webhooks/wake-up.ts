import type { DueEntry, DueSchedule } from '../due/due-entry.ts';
import type { EndpointRef } from './endpoint.ts';

/**
 * An entry is stored well before it is due. Otherwise, the run that handles an earlier entry of the same id could delete
 * the new one, unhandled.
 */
const LEAD_MS = 10_000;

type DuePut = Parameters<DueSchedule['put']>[0][number];

/**
 * The entry that handles an endpoint's parked deliveries. Entries of one endpoint, kind and minute are one entry.
 *
 * @param atMs the earliest time. Default: as soon as possible
 */
export const wakeUp = (
  kind: Extract<DueEntry['kind'], 'probe' | 'drain'>,
  { storeId, mode, endpointId }: EndpointRef,
  nowMs: number,
  atMs = nowMs,
): DuePut => ({
  id: `${kind}#${endpointId}`,
  dueAtMs: Math.max(atMs, nowMs + LEAD_MS),
  entry: { kind, endpoint: { storeId, mode, endpointId } },
});
