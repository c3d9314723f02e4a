import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { UsageError } from '../../command-line.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import { keyNamesOf } from '../../tables.ts';
import type { Action, OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { Stage } from '../stage.ts';
import { kindOf, type RESTORE } from './commands.ts';
import { copyBack, type Counts } from './copy-back.ts';
import { COUNTED } from './verdict.ts';

type Options = OptionsOf<typeof RESTORE>;

/**
 * Checks that the restored table exists and fits.
 *
 * @throws OperatorError if it does not exist, with the command that restores it, or if DynamoDB still restores it, or if it
 * has another key or belongs to the stage
 */
const requireRestored = async (
  { table, at, from }: Options,
  { documents, tableNames, name, localEndpoint }: Stage,
): Promise<void> => {
  const kind = kindOf(table);
  const command = `aws dynamodb restore-table-to-point-in-time --source-table-name ${tableNames[kind]} --target-table-name ${from} --restore-date-time ${isoTime(at)}`;
  // Only AWS has backups.
  const remedy = localEndpoint === undefined ? ` Create it with \`${command}\`, then repeat this one.` : '';
  if (Object.values(tableNames).includes(from)) {
    throw new OperatorError(`The table ${from} is in use by the stage ${name}: name a restored table.`);
  }
  const { Table: found } = await documents
    .send(new DescribeTableCommand({ TableName: from }))
    .catch((error: unknown) => {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      throw new OperatorError(`The table ${from} does not exist.${remedy}`);
    });
  if (found?.TableStatus === 'CREATING') {
    throw new OperatorError(`DynamoDB still restores the table ${from}: repeat the command later.`);
  }
  const needed = keyNamesOf(kind);
  const names = (found?.KeySchema ?? []).map(({ AttributeName }) => AttributeName);
  if (names.join() === needed.join()) return;
  throw new OperatorError(`The table ${from} has the key ${names.join()}, not ${needed.join()}.`);
};

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
