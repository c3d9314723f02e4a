import type { DueEntry, DueSchedule } from '../due/due-entry.ts';
import type { EndpointRef } from './endpoint.ts';

/**
 * An entry must be stored before a run reads its minute. Otherwise, the run could delete it together with an earlier entry
 * of the same id. After 70 s, the minute begins at least 10 s later: longer than a call of the database.
 */
const LEAD_MS = 70_000;

type DuePut = Parameters<DueSchedule['put']>[0][number];

/**
 * The entry that looks at an endpoint's parked deliveries again. Entries of one endpoint and minute are one entry.
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
