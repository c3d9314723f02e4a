import type { Store } from '../../../lib/stores/store.ts';
import type { Run } from '../command.ts';
import { byParts, type Columns, minuteOf, table, withIsoTimes } from '../output.ts';
import type { LIST_STORES } from './commands.ts';

const COLUMNS: Columns<Store> = {
  STORE: ({ id }) => id,
  NAME: ({ name }) => name,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
};

export const run: Run<typeof LIST_STORES> = async (_options, { stores }) => {
  const listed = (await stores.stores.list()).toSorted(byParts(({ id }) => [id]));
  return {
    json: { stores: listed.map(withIsoTimes) },
    lines: table(COLUMNS, listed, 'There are no stores. Add one with `stores put`.'),
  };
};
