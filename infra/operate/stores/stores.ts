import type { Store } from '../../../lib/stores/store.ts';
import type { Action } from '../command.ts';
import { byParts, type Columns, minuteOf, table } from '../output.ts';
import type { STORES } from './commands.ts';

export const put: Action<typeof STORES.put> = async ({ id, name }, { stores, now, change }) => {
  const json = await change({ storeId: id }, () => stores.stores.put({ id, name, createdAtMs: now() }));
  return { json, lines: [`The store ${id} is stored with the name "${name}".`] };
};

const COLUMNS: Columns<Store> = {
  STORE: ({ id }) => id,
  NAME: ({ name }) => name,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
};

export const list: Action<typeof STORES.list> = async (_options, { stores, stdout }) => {
  const listed = (await stores.stores.list()).toSorted(byParts(({ id }) => [id]));
  return {
    json: { stores: listed },
    lines: table(stdout, COLUMNS, listed, 'There are no stores. Add one with `stores put`.', ['NAME']),
  };
};
