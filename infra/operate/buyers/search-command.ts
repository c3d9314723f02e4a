import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Command } from 'commander';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { findStage, type Stage } from '../stage.ts';
import { assertStore } from '../stores/known-store.ts';
import { readBuyer, withEmail } from './email.ts';
import { type Search, searchBuyer } from './search.ts';
import { defaultSearchFile, openSearchFile, type SearchState } from './search-state.ts';

export interface SearchFlags extends CommonFlags {
  readonly email: string;
  readonly store?: string;
  readonly stateFile?: string;
}

/** Creates a command that searches for a buyer. */
export const searchCommand = (name: string, description: string, help: string): Command =>
  withEmail(stageCommand(name, description, help))
    .option('--store <id>', 'only this store; default: all', parseId)
    .option(
      '--state-file <file>',
      'where an interrupted search continues; default: a file under .local/buyers',
    );

/**
 * The text that identifies the data of a stage. Another account or region may have a stage of the same name, and the address
 * of a local stage may have other data later.
 */
const dataIdOf = async ({ documents, tableNames }: Stage): Promise<string> => {
  const { Table } = await documents.send(new DescribeTableCommand({ TableName: tableNames.carts }));
  return JSON.stringify([Table?.TableArn, Table?.TableId, Table?.CreationDateTime]);
};

/**
 * Searches for the buyer of a command, then runs `use`. If that fails, the file keeps the search: a repetition of the command
 * continues there.
 *
 * @param use returns why its result is incomplete, if it is
 * @throws OperatorError if the result is incomplete
 */
export const withFoundBuyer = async (
  host: Host,
  flags: SearchFlags,
  use: (stage: Stage, search: Search, state: SearchState) => Promise<string | undefined>,
): Promise<void> => {
  const { email, store } = flags;
  const buyer = await readBuyer(host, email);
  const stage = await findStage(flags, host.clock);
  if (store !== undefined) await assertStore(stage, store);
  const subject = [await dataIdOf(stage), store ?? '', buyer.email];
  const file = openSearchFile(flags.stateFile ?? defaultSearchFile(stage.name), subject);
  const search = { buyer, store };
  const gap = await use(stage, search, await searchBuyer(host, stage, search, file));
  file.remove();
  if (gap !== undefined) throw new OperatorError(gap);
};
