import type { Command } from 'commander';
import { createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { fillStores } from '../../../lib/stores/fill-stores.ts';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { findStage } from '../stage.ts';

const fill = async (host: Host, { json, ...flags }: CommonFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const { documents, tableNames } = stage;
  const stores = {
    apiKeys: createApiKeyStore(documents, tableNames.apiKeys),
    stores: createStoreDirectory(documents, tableNames.stores),
  };
  const change = { command: 'stores fill', ids: {} };
  const added = await recordChange(
    host,
    stage,
    change,
    () => fillStores(stores),
    (storeIds) => ({ storeIds }),
  );
  await print(host, json, { added }, [
    added.length === 0 ? 'Every store with a key has a record.' : `Added: ${added.join(', ')}.`,
  ]);
};

const HELP = `
Example:
  npm run operate -- stores fill --stage prod

Run it once after an upgrade from a release without stores. A new record's name is the store's id: change it with
\`stores put\`. The command reads the whole table of keys, and DynamoDB charges for it: about one read unit per ten keys.
It is safe to repeat.`;

/** `stores fill`: adds the missing records of stores that have keys. */
export const fillStoresCommand = (host: Host): Command =>
  stageCommand(
    'fill',
    'add the missing records of stores that have keys; reads the whole table of keys',
    HELP,
  ).action((flags: CommonFlags) => fill(host, flags));
