import { Command } from 'commander';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, parseCount, parseTime, stageCommand } from '../options.ts';
import { type Columns, print, table } from '../output.ts';
import { findStage } from '../stage.ts';
import {
  type AuditFields,
  auditFailure,
  type AuditLog,
  type AuditRecord,
  openAuditLog,
} from './audit-log.ts';

interface ListFlags extends CommonFlags {
  /** In milliseconds since the epoch. */
  readonly since?: number;
  readonly command?: string;
  readonly limit: number;
}

const DEFAULT_DAYS = 7;
const DEFAULT_LIMIT = 100;

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

/** Whether a command, or one of a group such as `keys`, made a change. */
const isOf = ({ command }: AuditRecord, filter: string | undefined): boolean =>
  filter === undefined || command === filter || command.startsWith(`${filter} `);

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

const readSince = (log: AuditLog, sinceMs: number): ReturnType<AuditLog['read']> =>
  log.read(sinceMs).catch((error: unknown) => {
    const reason = auditFailure(error, 'logs:FilterLogEvents', log.logGroup);
    throw new OperatorError(`The audit log cannot be read: ${reason}`);
  });

const listAudit = async (host: Host, { since, command, limit, json, ...flags }: ListFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  if (!stage.outputs) {
    throw new OperatorError('The local stage has no audit log: select a deployed stage with --stage.');
  }
  const sinceMs = since ?? host.now() - DEFAULT_DAYS * DAY_MS;
  const { records, unreadable } = await readSince(openAuditLog(stage), sinceMs);
  const found = changesOf(records).filter((record) => isOf(record, command));
  const changes = found.slice(0, limit);
  const lines = table(host, COLUMNS, changes, 'There are no such changes.', ['WHO', 'WHAT IT CHANGED']);
  const omitted = found.length - changes.length;
  if (omitted > 0) host.stderr.write(`Not shown: ${counted(omitted, 'earlier change')}. Use --limit.\n`);
  if (unreadable > 0)
    host.stderr.write(`Ignored: ${counted(unreadable, 'line')} of the log without an audit record.\n`);
  await print(host, json, { changes, omitted }, lines);
};

const HELP = `
Examples:
  npm run operate -- audit list --stage prod
  npm run operate -- audit list --since 2026-11-20T14:00:00Z --stage prod
  npm run operate -- audit list --command 'keys revoke' --limit 10 --stage prod
  npm run operate -- audit list --command keys --stage prod --json

Outcomes: "done": the change is complete. "failed": the command may have made a part of the change. "begun": the command
still runs, or its process died.
CloudWatch Logs shows a new record after some seconds.`;

/** `audit`: shows which operator changed what on a deployed stage. */
export const auditCommand = (host: Host): Command => {
  const list = stageCommand('list', "list the operators' changes of a deployed stage, the newest first", HELP)
    .option('--since <time>', `only changes since then; default: the last ${DEFAULT_DAYS} days`, parseTime)
    .option(
      '--command <words>',
      "only changes of a command, such as 'keys revoke', or of a group, such as keys",
    )
    .option('--limit <number>', 'the most changes to list', parseCount, DEFAULT_LIMIT)
    .action((flags: ListFlags) => listAudit(host, flags));
  return new Command('audit').description('show who changed what on a deployed stage').addCommand(list);
};
