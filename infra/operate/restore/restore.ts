import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import type { OptionsOf, Action, StageContextOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { RESTORE } from './commands.ts';
import { copyBack, COUNTED, COUNTED_IN_DRY_RUN, type Counts } from './copy-back.ts';
import { findEndedSince } from './ended-since.ts';
import { nameOf } from './restorable-tables.ts';
import { deleteRestored, requireRestored, restoredNameOf, restoreToNewTable } from './restored-table.ts';

type Options = OptionsOf<typeof RESTORE>;
type RestoreContext = StageContextOf<typeof RESTORE>;

/** The counts that are not zero, each with its line. */
const describe = (found: Counts, { table, cart, at, all, dryRun }: Options): string[] => {
  const copies = found.missing + found.unerased + (all ? found.different : 0);
  const counts = dryRun ? { ...found, copied: copies } : found;
  const lines = Object.entries(dryRun ? COUNTED_IN_DRY_RUN : COUNTED).map(
    ([name, text]) => [counts[name as keyof Counts], text] as const,
  );
  return [
    `${cart === undefined ? nameOf(table) : `The cart ${cart}`} had ${counted(counts.items, 'item')} at ${isoTime(at)}:`,
    ...lines.flatMap(([count, text]) => (count === 0 ? [] : [`  ${count.toLocaleString('en')} ${text}`])),
  ];
};

const requirePast = ({ at, from }: Options, { stage, now }: RestoreContext): void => {
  if (at >= now()) throw new UsageError('--at must be in the past.');
  if (from !== undefined || stage.outputs) return;
  throw new OperatorError(
    'The local stage has no point-in-time recovery: name a restored table with --from.',
  );
};

/** Deletes the restored table that an earlier run left. */
const cleanUp = async ({ table, at }: Options, { stage, change }: RestoreContext) => {
  const from = restoredNameOf(stage.tableNames[table], at);
  const ids = { table: nameOf(table), from, step: 'cleanup' };
  const deleted = await change(ids, () => deleteRestored(stage.documents, from));
  const line = deleted ? `Deleted the table ${from}.` : `There is no table ${from}.`;
  return { json: { table: nameOf(table), from, deleted }, lines: [line] };
};

/** Makes the restored table, unless the operator names one. Returns its name. */
const prepareRestored = async ({ table, at, from }: Options, context: RestoreContext): Promise<string> => {
  if (from === undefined) {
    const ids = { table: nameOf(table), at: isoTime(at), step: 'restored table' };
    return restoreToNewTable(table, at, context, (make) => context.change(ids, make));
  }
  await requireRestored(table, from, context.stage);
  return from;
};

export const restore: Action<typeof RESTORE> = async (options, context) => {
  const { table: kind, at: atMs, cart: cartId, all, dryRun } = options;
  const { stage, confirm, change } = context;
  requirePast(options, context);
  if (options.cleanup) return cleanUp(options, context);
  const [table, at] = [nameOf(kind), isoTime(atMs)];
  if (!dryRun) {
    const items = all ? 'missing and changed items' : 'missing items';
    const action = `Copying ${items}${cartId === undefined ? '' : ` of the cart ${cartId}`} of ${table} at ${at} into the stage ${stage.name}`;
    await confirm(action, kind === 'testCarts' ? 'test' : 'live');
  }
  // Fail now, and not after the restore, which takes 20 minutes.
  await findEndedSince(stage, kind, atMs);
  const from = await prepareRestored(options, context);
  const copy = () => copyBack({ ...options, from }, context);
  const ids = { table, at, from, cartId, mode: all ? 'all' : 'missing' };
  const counts = dryRun ? await copy() : await change(ids, copy, (made) => made);
  const isDone = !dryRun && options.from === undefined && counts.overtaken + counts.malformed === 0;
  if (isDone) await deleteRestored(stage.documents, from);
  return {
    json: { table, at, from, cartId, dryRun: dryRun || undefined, ...counts },
    lines: [
      ...describe(counts, options),
      isDone
        ? `Deleted the table ${from}.`
        : `The table ${from} stays. Delete it as soon as you can: it may have personal data.`,
    ],
  };
};
