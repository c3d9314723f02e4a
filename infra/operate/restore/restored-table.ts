import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { OperatorError } from '../../operator-error.ts';
import { keyNamesOf } from '../../tables.ts';
import type { OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { Stage } from '../stage.ts';
import { kindOf, type RESTORE } from './commands.ts';

/**
 * Checks that the restored table exists and fits.
 *
 * @throws OperatorError if it does not exist, with the command that restores it, or if DynamoDB still restores it, or if it
 * has another key or belongs to the stage
 */
export const requireRestored = async (
  { table, at, from }: Pick<OptionsOf<typeof RESTORE>, 'table' | 'at' | 'from'>,
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
