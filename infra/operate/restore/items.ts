import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { keyNamesOf, tableKindOf } from '../../stage/tables.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, OptionsOf } from '../frame/command.ts';
import type { Stage } from '../target/stage.ts';
import type { RESTORE } from './commands.ts';
import { copyBack, type Counts } from './copy-back.ts';
import { COUNTED } from './verdict.ts';

type Options = OptionsOf<typeof RESTORE.items>;

/**
 * Checks the table of `--from`. Returns whether it comes from a restore of DynamoDB.
 *
 * @throws OperatorError if it is missing, not ready, in use by the stage, older than `--at`, or has another key
 */
const checkRestored = async (
  { table, at, from }: Options,
  { documents, tableNames, name, isLocal }: Stage,
): Promise<boolean> => {
  if (Object.values(tableNames).includes(from)) {
    throw new OperatorError(
      `The table ${from} is in use by the stage ${name}: pass the restored table as --from.`,
    );
  }
  const { Table: found } = await documents
    .send(new DescribeTableCommand({ TableName: from }))
    .catch((error: unknown) => {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      const command = `aws dynamodb restore-table-to-point-in-time --source-table-name ${tableNames[tableKindOf(table)]} --target-table-name ${from} --restore-date-time ${isoTime(at)}`;
      const remedy = `Create it with \`${command}\`. When it is ready, run this command again with --at ${isoTime(at)}.`;
      throw new OperatorError(`The table ${from} does not exist.${isLocal ? '' : ` ${remedy}`}`);
    });
  const { TableStatus = '', KeySchema = [], RestoreSummary } = found ?? {};
  if (TableStatus !== 'ACTIVE') {
    throw new OperatorError(`The table ${from} is not ready (${TableStatus}): repeat the command later.`);
  }
  const stateMs = RestoreSummary?.RestoreDateTime?.getTime() ?? at;
  // The audit log is read from --at on: it must have each revocation since the restored state.
  if (at > stateMs + 1_000) {
    throw new OperatorError(
      `The table ${from} has the state of ${isoTime(stateMs)}: pass this time as --at.`,
    );
  }
  const needed = keyNamesOf(tableKindOf(table));
  const names = KeySchema.map(({ AttributeName }) => AttributeName);
  if (names.join() === needed.join()) return RestoreSummary !== undefined;
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

export const items: Action<typeof RESTORE.items> = async (options, context) => {
  const { table, at: atMs, from, cart: cartId, all, dryRun } = options;
  const { stage, now, confirm, change } = context;
  if (atMs >= now()) throw new UsageError('--at must be in the past.');
  const isRestored = await checkRestored(options, stage);
  const at = isoTime(atMs);
  if (!dryRun) {
    const what = all ? 'missing and changed items' : 'missing items';
    const action = `Copying ${what}${cartId === undefined ? '' : ` of the cart ${cartId}`} of ${table} at ${at} into the stage ${stage.name}`;
    await confirm(action, table === 'TestCarts' ? 'test' : 'live');
  }
  const copy = () => copyBack(options, context);
  const ids = { table, at, from, cartId, mode: all ? 'all' : 'missing' };
  const counts = dryRun ? await copy() : await change(ids, copy, (made) => made);
  const lines = describe(counts, options);
  if (!dryRun && isRestored) {
    const command = `aws dynamodb delete-table --table-name ${from}`;
    lines.push(`When the restore is complete, delete the restored table: \`${command}\`.`);
  }
  return { json: { table, at, from, cartId, ...counts, ...(dryRun && { dryRun, copied: 0 }) }, lines };
};
