import type { Run } from '../command.ts';
import { withIsoTimes } from '../output.ts';
import type { PUT_STORE } from './commands.ts';

export const run: Run<typeof PUT_STORE> = async ({ id, name }, { stores, now, change }) => {
  const store = await change({ storeId: id }, () => stores.stores.put({ id, name, createdAtMs: now() }));
  return { json: withIsoTimes(store), lines: [`The store ${id} is stored with the name "${name}".`] };
};
