import { type Command, Option } from 'commander';
import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, parseTime, stageCommand, withYes, type YesFlag } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { sayScanCost } from '../scan-cost.ts';
import { findStage, type Stage } from '../stage.ts';
import { copyBack, type Counts } from './copy-back.ts';
import { findEndedSince } from './ended-since.ts';
import {
  MAY_REPLACE,
  RESTORABLE_NAMES,
  type RestorableTable,
  restorableTableOf,
} from './restorable-tables.ts';
import { restoredNameOf, deleteRestored, requireRestored, restoreToNewTable } from './restored-table.ts';

interface RestoreFlags extends CommonFlags, YesFlag {
  readonly table: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly from?: string;
  readonly all?: true;
  readonly dryRun?: true;
  readonly cleanup?: true;
}

/** The counts that are not zero, each with its line. */
const LINES: Readonly<Record<Exclude<keyof Counts, 'items'>, string>> = {
  same: 'equal in the live table',
  missing: 'missing in the live table',
  different: 'different: only --all replaces them',
  unerased: 'in the live table with buyer data, although it was erased',
  stays: 'different, and kept: no restore undoes a later change, such as a payment or a revocation',
  ended: 'missing, and kept so: an operator has revoked, removed or rotated them since',
  expired: 'past the time to live, and not copied',
  malformed: 'unreadable, and not copied',
  copied: 'copied',
  erasedAgain: 'copied without buyer data, because it was erased since or is too old',
  overtaken: 'changed by another writer at the same time: repeat the command',
};

const describe = (counts: Counts, table: string, at: number): string[] => [
  `${table} had ${counted(counts.items, 'item')} at ${isoTime(at)}:`,
  ...Object.entries(LINES).flatMap(([name, text]) => {
    const count = counts[name as keyof Counts];
    return count === 0 ? [] : [`  ${count.toLocaleString('en')} ${text}`];
  }),
];

const requireValid = ({ table, at, all, from }: RestoreFlags, stage: Stage, nowMs: number): void => {
  if (all && !MAY_REPLACE[restorableTableOf(table)]) {
    throw new UsageError(`--all would undo revocations, limits or rotations in ${table}: leave it out.`);
  }
  if (at >= nowMs) throw new UsageError('--at must be in the past.');
  if (from === undefined && !stage.outputs) {
    throw new OperatorError(
      'The local stage has no point-in-time recovery: name a restored table with --from.',
    );
  }
};

/** Deletes the restored table that an earlier run left. */
const cleanUp = async (host: Host, stage: Stage, { table, at, json }: RestoreFlags): Promise<void> => {
  const from = restoredNameOf(stage.tableNames[restorableTableOf(table)], at);
  const change = { command: 'restore', ids: { table, from, step: 'cleanup' } };
  const deleted = await recordChange(host, stage, change, () => deleteRestored(stage.documents, from));
  await print(host, json, { table, from, deleted }, [
    deleted ? `Deleted the table ${from}.` : `There is no table ${from}.`,
  ]);
};

/** Makes the restored table, unless the operator names one. Returns its name. */
const prepareRestored = async (
  host: Host,
  stage: Stage,
  kind: RestorableTable,
  { table, at, from }: RestoreFlags,
): Promise<string> => {
  if (from !== undefined) {
    await requireRestored(stage, kind, from);
    return from;
  }
  const change = { command: 'restore', ids: { table, at: isoTime(at), step: 'restored table' } };
  return restoreToNewTable(host, stage, stage.tableNames[kind], at, (make) =>
    recordChange(host, stage, change, make),
  );
};

const restoreTable = async (host: Host, flags: RestoreFlags): Promise<void> => {
  const { table, at, all = false, dryRun = false, json } = flags;
  const stage = await findStage(flags, host.clock);
  requireValid(flags, stage, host.now());
  if (flags.cleanup) return cleanUp(host, stage, flags);
  const kind = restorableTableOf(table);
  if (!dryRun) {
    const items = all ? 'missing and changed items' : 'missing items';
    const action = `Copying ${items} of ${table} at ${isoTime(at)} into the stage ${stage.name}`;
    await confirmLive(host, action, { mode: kind === 'testCarts' ? 'test' : 'live', ...flags });
  }
  // Fail now, and not after the restore, which takes 20 minutes.
  await findEndedSince(stage, kind, at);
  const from = await prepareRestored(host, stage, kind, flags);
  await sayScanCost(host, stage, [from, stage.tableNames[kind]]);
  const restore = { table: kind, from, atMs: at, all, dryRun };
  const ids = { table, at: isoTime(at), from, mode: all ? 'all' : 'missing' };
  const counts = dryRun
    ? await copyBack(host, stage, restore)
    : await recordChange(
        host,
        stage,
        { command: 'restore', ids },
        () => copyBack(host, stage, restore),
        (result) => ({ ...result }),
      );
  const isDone = !dryRun && flags.from === undefined && counts.overtaken + counts.malformed === 0;
  if (isDone) await deleteRestored(stage.documents, from);
  await print(host, json, { table, at: isoTime(at), from, ...(dryRun && { dryRun }), ...counts }, [
    ...describe(counts, table, at),
    ...(isDone
      ? [`Deleted the table ${from}.`]
      : [`The table ${from} stays. Delete it as soon as you can: it may have personal data.`]),
  ]);
};

const HELP = `
Examples:
  npm run operate -- restore --table Carts --at 2026-11-20T14:00:00Z --stage prod --dry-run
  npm run operate -- restore --table Carts --at 2026-11-20T14:00:00Z --stage prod
  npm run operate -- restore --table Products --at 2026-11-20T14:00:00Z --all --stage prod
  npm run operate -- restore --table Carts --at 2026-11-20T14:00:00Z --cleanup --stage prod
  npm run operate -- restore --table Carts --at 2026-11-20T14:00:00Z --from carts-restored

It restores the table to a new table, compares the two, and copies back the items that the live table lacks. With --all, it
also replaces items that differ. It deletes no item of the live table. At the end, it deletes the restored table. With
--dry-run, it only counts, and keeps the restored table for the next run. --from names a table that you restored by hand,
which it keeps.

It never undoes a payment, an erasure, a revocation, a removed endpoint or a rotated secret. A buyer's data that was erased
since does not come back. Items past their time to live do not come back. It sends no event. It asks for each table but
TestCarts. If it is interrupted, repeat the same command. A restore costs $0.15 per GB, and the comparison about two read
units per item, at most 1,200 items a second. docs/restore.md has the procedure.`;

/** `restore`: brings a table's items back from a time in the past. */
export const restoreCommand = (host: Host): Command =>
  withYes(stageCommand('restore', 'copy lost items of a table back from a time in the past', HELP))
    .addOption(
      new Option('--table <name>', 'the table, as the stack names it')
        .choices(RESTORABLE_NAMES)
        .makeOptionMandatory(),
    )
    .requiredOption('--at <time>', 'the time in the past, just before the loss', parseTime)
    .option('--from <table>', 'a table that you restored by hand, with the state at that time')
    .option('--all', 'also replace items that differ')
    .option('--dry-run', 'compare and count, and copy nothing')
    .addOption(
      new Option('--cleanup', 'delete the restored table that an earlier run left').conflicts([
        'from',
        'all',
        'dryRun',
      ]),
    )
    .action((flags: RestoreFlags) => restoreTable(host, flags));
