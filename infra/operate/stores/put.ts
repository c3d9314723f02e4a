import { type Command, InvalidArgumentError } from 'commander';
import { CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import { printable } from '../../command-line.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, parseId, parseText, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';
import { storeJson } from './list.ts';

interface PutFlags extends CommonFlags {
  readonly name: string;
}

const parseStoreId = (text: string): string => {
  if (text === CANARY_STORE_ID) throw new InvalidArgumentError('It is reserved for the canary.');
  return parseId(text);
};

const putStore = async (host: Host, id: string, { name, json, ...flags }: PutFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const stores = createStoreDirectory(stage.documents, stage.tableNames.stores);
  const change = { command: 'stores put', ids: { storeId: id } };
  const store = await recordChange(host, stage, change, () =>
    stores.put({ id, name, createdAtMs: host.now() }),
  );
  await print(host, json, storeJson(store), [
    printable(`The store ${id} is stored with the name "${name}".`),
  ]);
};

const HELP = `
Examples:
  npm run operate -- stores put shop --name 'The Shop'
  npm run operate -- stores put shop --name 'The Shop' --stage prod

Pages, events and messages show the name. To rename a store, run the command again.`;

/** `stores put`: stores a store with its name, or renames it. */
export const putStoreCommand = (host: Host): Command =>
  stageCommand('put', 'store a store with its name, or rename it', HELP)
    .argument('<id>', "the store's id, as its keys have it", parseStoreId)
    .requiredOption('--name <text>', 'the name that buyers and merchants see', parseText)
    .action((id: string, flags: PutFlags) => putStore(host, id, flags));
