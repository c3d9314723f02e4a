import { counted } from '../../terminal/counted.ts';
import { type AuditRecord, readAuditLog } from '../frame/audit-log.ts';
import type { Action } from '../frame/command.ts';
import type { AuditFields } from '../frame/context.ts';
import { type Columns, table } from '../frame/table.ts';
import type { AUDIT } from './commands.ts';

/** The part that both records of a change share, as text. */
const changeOf = ({ changeId, at, caller, command, ids }: AuditRecord): string =>
  JSON.stringify([changeId, at, caller, command, ids]);

/**
 * The last record of each change, the newest first. A change without a second record is still `begun`. A record with the id
 * of a change, but another caller, command or target, counts as a change of its own. A false record therefore hides none.
 */
const changesOf = (records: readonly AuditRecord[]): AuditRecord[] =>
  [...new Map(records.map((record) => [changeOf(record), record])).values()].toSorted((a, b) =>
    a.at < b.at ? 1 : -1,
  );

const describe = (fields: AuditFields = {}): string[] =>
  Object.entries(fields).map(([name, value]) => {
    const text =
      Array.isArray(value) && value.length > 1 ? `${value[0]} and ${value.length - 1} more` : value;
    return `${name} ${String(text)}`;
  });

const COLUMNS: Columns<AuditRecord> = {
  'AT (UTC)': ({ at }) => at.slice(0, 19).replace('T', ' '),
  // The end of an ARN names the user, or the role and its session.
  WHO: ({ caller }) => caller.split(':').at(-1) ?? caller,
  COMMAND: ({ command }) => command,
  OUTCOME: ({ outcome }) => outcome,
  'WHAT IT CHANGED': ({ ids, result }) => [...describe(ids), ...describe(result)].join(', '),
};

export const list: Action<typeof AUDIT.list> = async (
  { since, command: words, limit },
  { stage, say, stdout },
) => {
  const { records, unreadable } = await readAuditLog(stage, since);
  const found = changesOf(records).filter(
    ({ command }) => words === undefined || command === words || command.startsWith(`${words} `),
  );
  const changes = found.slice(0, limit);
  const omitted = found.length - changes.length;
  if (omitted > 0) say(`Not shown: ${counted(omitted, 'earlier change')}. Use --limit.`);
  if (unreadable > 0) say(`Ignored: ${counted(unreadable, 'line')} of the log without an audit record.`);
  return {
    json: { changes, omitted },
    lines: table(stdout, COLUMNS, changes, 'There are no such changes.'),
  };
};
