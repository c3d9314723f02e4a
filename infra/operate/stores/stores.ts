import type { Store } from '../../../lib/stores/store.ts';
import type { Action } from '../frame/command.ts';
import { by, minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import type { STORES } from './commands.ts';

export const put: Action<typeof STORES.put> = async ({ id, name }, { repositories, now, change }) => {
  const json = await change({ storeId: id }, () => repositories.stores.put({ id, name, createdAtMs: now() }));
  return { json, lines: [`The store ${id} is stored with the name "${name}".`] };
};

const COLUMNS: Columns<Store> = {
  STORE: ({ id }) => id,
  NAME: ({ name }) => name,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
};

export const list: Action<typeof STORES.list> = async (_options, { repositories, stdout }) => {
  const listed = (await repositories.stores.list()).toSorted(by(({ id }) => id));
  return {
    json: { stores: listed },
    lines: table(stdout, COLUMNS, listed, 'There are no stores. Add one with `stores put`.'),
  };
};
