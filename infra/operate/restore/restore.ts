import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action, Context, OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import { copyBack, type Counts, findEndedSince } from './copy-back.ts';
import { kindOf, type RESTORE } from './commands.ts';
import { deleteRestored, findRestored, restoredNameOf, restoreToNewTable } from './restored-table.ts';
import { COUNTED } from './verdict.ts';

type Options = OptionsOf<typeof RESTORE>;

/** The counts that are not zero, each with its line. */
const describe = ({ items, ...counts }: Counts, { table, cart, at, dryRun }: Options): string[] => {
  const names = Object.keys(COUNTED) as (keyof typeof COUNTED)[];
  const textOf = (text: string): string => (dryRun ? text.replace(/^copied/, 'would be copied') : text);
  return [
    `${cart === undefined ? table : `The cart ${cart}`} had ${counted(items, 'item')} at ${isoTime(at)}:`,
    ...names
      .filter((name) => counts[name] > 0)
      .map((name) => `  ${counts[name].toLocaleString('en')} ${textOf(COUNTED[name])}`),
  ];
};

const requirePast = ({ at, from }: Options, { stage, now }: Context): void => {
  if (at >= now()) throw new UsageError('--at must be in the past.');
  if (from !== undefined || stage.localEndpoint === undefined) return;
  throw new OperatorError(
    'The local stage has no point-in-time recovery: name a restored table with --from.',
  );
};

/** Deletes the restored table that an earlier run left. */
const cleanUp = async ({ table, at }: Options, { stage, change }: Context) => {
  const from = restoredNameOf(stage.tableNames[kindOf(table)], at);
  const deleted = await change({ table, from, step: 'cleanup' }, () => deleteRestored(stage.documents, from));
  const line = deleted ? `Deleted the table ${from}.` : `There is no table ${from}.`;
  return { json: { table, from, deleted }, lines: [line] };
};

export const restore: Action<typeof RESTORE> = async (options, context) => {
  const { table, at: atMs, cart: cartId, all, dryRun } = options;
  const { stage, confirm, change } = context;
  requirePast(options, context);
  if (options.cleanup) return cleanUp(options, context);
  const at = isoTime(atMs);
  if (!dryRun) {
    const items = all ? 'missing and changed items' : 'missing items';
    const action = `Copying ${items}${cartId === undefined ? '' : ` of the cart ${cartId}`} of ${table} at ${at} into the stage ${stage.name}`;
    await confirm(action, table === 'TestCarts' ? 'test' : 'live');
  }
  // Fail now, and not after the restore, which takes 20 minutes.
  await findEndedSince(stage, table, atMs);
  const from = await (options.from === undefined
    ? restoreToNewTable(table, atMs, context)
    : findRestored(table, options.from, stage));
  const copy = () => copyBack(from, options, context);
  const ids = { table, at, from, cartId, mode: all ? 'all' : 'missing' };
  const counts = dryRun ? await copy() : await change(ids, copy, (made) => made);
  const isDone = !dryRun && options.from === undefined && counts.overtaken + counts.malformed === 0;
  if (isDone) await deleteRestored(stage.documents, from);
  return {
    json: { table, at, from, cartId, ...counts, ...(dryRun && { dryRun, copied: 0 }) },
    lines: [
      ...describe(counts, options),
      isDone
        ? `Deleted the table ${from}.`
        : `The table ${from} stays. Delete it as soon as you can: it may have personal data.`,
    ],
  };
};
