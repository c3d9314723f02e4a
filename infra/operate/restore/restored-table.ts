import {
  DeleteTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import type { Documents } from '../../../lib/core/documents.ts';
import { OperatorError } from '../../operator-error.ts';
import { keyNamesOf } from '../../tables.ts';
import type { Context } from '../command.ts';
import { isoTime } from '../output.ts';
import type { Stage } from '../stage.ts';
import { until } from '../until.ts';
import { kindOf, type RestorableTable } from './commands.ts';

/** A restore of a large table takes hours. The command then ends, and a repetition waits again. */
const WAIT_SECONDS = 7_200;

const SECOND_MS = 1_000;

/** The name of the restored table. It depends only on the live table and the second, so that a repetition continues. */
export const restoredNameOf = (liveName: string, atMs: number): string =>
  `${liveName}-at-${isoTime(atMs).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** Awaits a call about a table. Returns `undefined` if the table does not exist. */
const unlessMissing = async <Output>(call: Promise<Output>): Promise<Output | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const describeTable = async (documents: Documents, TableName: string) =>
  (await unlessMissing(documents.send(new DescribeTableCommand({ TableName }))))?.Table;

/** The sentences for errors that the operator can fix. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  PointInTimeRecoveryUnavailableException:
    'the table has no point-in-time recovery. Only the stage `prod` has it',
  InvalidRestoreTimeException:
    'the time is outside its recovery window, which is the last 35 days since its creation, except the last five minutes',
  TableNotFoundException: 'the table does not exist',
  LimitExceededException: 'the account restores or creates too many tables now. Repeat the command later',
  AccessDeniedException: 'these AWS credentials lack dynamodb:RestoreTableToPointInTime',
};

const startRestore = async (documents: Documents, liveName: string, from: string, atMs: number) => {
  const command = new RestoreTableToPointInTimeCommand({
    SourceTableName: liveName,
    TargetTableName: from,
    // DynamoDB restores to a second.
    RestoreDateTime: new Date(Math.floor(atMs / SECOND_MS) * SECOND_MS),
  });
  try {
    await documents.send(command);
  } catch (error) {
    const explanation = error instanceof Error ? EXPLANATIONS[error.name] : undefined;
    if (explanation === undefined) throw error;
    throw new OperatorError(`The table ${liveName} cannot be restored: ${explanation}.`, { cause: error });
  }
};

/**
 * Lets DynamoDB restore a table to a new one, and waits for it. A repetition continues to wait. The live table stays as it is.
 *
 * @returns the name of the restored table
 * @throws OperatorError if the table cannot be restored, or takes longer than the command waits
 */
export const restoreToNewTable = async (
  table: RestorableTable,
  atMs: number,
  { stage: { documents, tableNames }, say, pauses, change }: Context,
): Promise<string> => {
  const liveName = tableNames[kindOf(table)];
  const from = restoredNameOf(liveName, atMs);
  if (!(await describeTable(documents, from))) {
    const ids = { table, at: isoTime(atMs), step: 'restored table' };
    await change(ids, () => startRestore(documents, liveName, from, atMs));
  }
  say(
    `Restores to the table ${from}. This takes 20 minutes or more. After an interruption, repeat the command.`,
  );
  const isReady = await until(
    pauses,
    WAIT_SECONDS,
    async () => (await describeTable(documents, from))?.TableStatus === 'ACTIVE' || undefined,
  );
  if (isReady) return from;
  throw new OperatorError(`The table ${from} is not ready yet. Repeat the command later: it continues.`);
};

/**
 * Checks a table that an operator restored by hand, and returns its name.
 *
 * @throws OperatorError if it does not exist, has another key, or belongs to the stage
 */
export const findRestored = async (
  table: RestorableTable,
  from: string,
  { documents, tableNames, name }: Stage,
): Promise<string> => {
  if (Object.values(tableNames).includes(from)) {
    throw new OperatorError(`The table ${from} is in use by the stage ${name}: name a restored table.`);
  }
  const found = await describeTable(documents, from);
  if (!found) throw new OperatorError(`The table ${from} does not exist.`);
  const needed = keyNamesOf(kindOf(table));
  const names = (found.KeySchema ?? []).map(({ AttributeName }) => AttributeName);
  if (names.join() !== needed.join()) {
    throw new OperatorError(`The table ${from} has the key ${names.join()}, not ${needed.join()}.`);
  }
  return from;
};

/** Deletes the restored table, if it exists. Returns whether it existed. */
export const deleteRestored = async (documents: Documents, from: string): Promise<boolean> =>
  (await unlessMissing(documents.send(new DeleteTableCommand({ TableName: from })))) !== undefined;
