import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import type { Action, OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { RESTORE } from './commands.ts';
import { copyBack, type Counts } from './copy-back.ts';
import { requireRestored } from './restored-table.ts';
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

export const restore: Action<typeof RESTORE> = async (options, context) => {
  const { table, at: atMs, from, cart: cartId, all, dryRun } = options;
  const { stage, now, confirm, change } = context;
  if (atMs >= now()) throw new UsageError('--at must be in the past.');
  await requireRestored(options, stage);
  const at = isoTime(atMs);
  if (!dryRun) {
    const items = all ? 'missing and changed items' : 'missing items';
    const action = `Copying ${items}${cartId === undefined ? '' : ` of the cart ${cartId}`} of ${table} at ${at} into the stage ${stage.name}`;
    await confirm(action, table === 'TestCarts' ? 'test' : 'live');
  }
  const copy = () => copyBack(options, context);
  const ids = { table, at, from, cartId, mode: all ? 'all' : 'missing' };
  const counts = dryRun ? await copy() : await change(ids, copy, (made) => made);
  const lines = describe(counts, options);
  if (!dryRun) {
    const command = `aws dynamodb delete-table --table-name ${from}`;
    lines.push(`If nothing is left to restore, delete the restored table: \`${command}\`.`);
  }
  return { json: { table, at, from, cartId, ...counts, ...(dryRun && { dryRun, copied: 0 }) }, lines };
};
