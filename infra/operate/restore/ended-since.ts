import { openAuditLog } from '../audit/audit-log.ts';
import type { AuditFields } from '../command.ts';
import type { Stage } from '../stage.ts';
import type { RestorableTable } from './restorable-tables.ts';

/** The commands that end items of a table for good, and the field of their audit records that names the items. */
const ENDINGS: Readonly<Partial<Record<RestorableTable, Readonly<Record<string, string>>>>> = {
  apiKeys: {
    'keys revoke': 'keyId',
    'keys rotate': 'keyId',
    'canary setup': 'oldKeyId',
    accept: 'keyIds',
  },
  webhookEndpoints: { 'webhooks remove': 'endpointId' },
  webhookSecrets: { 'webhooks remove': 'endpointId', 'webhooks rotate': 'endpointId' },
};

/** The clocks of operators differ by less. */
const CLOCK_ERROR_MS = 60_000;

/**
 * Finds the keys, endpoints and secrets that operators revoked, removed or rotated since a time. It reads the audit log of the
 * stage, because the items themselves may be lost. The local stage has none.
 *
 * @throws OperatorError if the audit log of a deployed stage cannot be read
 */
export const findEndedSince = async (
  stage: Stage,
  table: RestorableTable,
  sinceMs: number,
): Promise<ReadonlySet<string>> => {
  const endings = ENDINGS[table];
  if (!endings || !stage.outputs) return new Set();
  const { records } = await openAuditLog(stage).read(sinceMs - CLOCK_ERROR_MS);
  const ids = records.flatMap(({ command, ids: begun, result = {} }) => {
    const fields: AuditFields = { ...begun, ...result };
    const field = endings[command];
    return field === undefined ? [] : [fields[field] ?? []].flat();
  });
  return new Set(ids.map(String));
};
