import type { Command } from 'commander';
import { createStoreDirectory } from '../../../lib/stores/store-directory.ts';
import type { Store } from '../../../lib/stores/store.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { findStage } from '../stage.ts';

/** A store in the JSON. */
export const storeJson = ({ id, name, createdAtMs }: Store) => ({
  id,
  name,
  createdAt: isoTime(createdAtMs),
});

const COLUMNS: Columns<Store> = {
  STORE: ({ id }) => id,
  NAME: ({ name }) => name,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
};

const listStores = async (host: Host, { json, ...flags }: CommonFlags): Promise<void> => {
  const { documents, tableNames } = await findStage(flags, host.clock);
  const listed = await createStoreDirectory(documents, tableNames.stores).list();
  const stores = listed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await print(
    host,
    json,
    { stores: stores.map(storeJson) },
    table(host, COLUMNS, stores, 'There are no stores.'),
  );
};

const HELP = `
Examples:
  npm run operate -- stores list
  npm run --silent operate -- stores list --stage prod --json | jq -r '.stores[].name'`;

/** `stores list`: lists the stores of a stage. */
export const listStoresCommand = (host: Host): Command =>
  stageCommand('list', 'list stores with their names; reads the whole table', HELP).action(
    (flags: CommonFlags) => listStores(host, flags),
  );
