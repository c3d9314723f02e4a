import type { Store } from '../../../lib/stores/store.ts';
import { closestName } from '../../terminal/closest-name.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, Context } from '../command.ts';
import { by, type Columns, minuteOf, table } from '../output.ts';
import type { Stores } from '../stores.ts';
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
  const listed = (await stores.stores.list()).toSorted(by(({ id }) => id));
  return {
    json: { stores: listed },
    lines: table(stdout, COLUMNS, listed, 'There are no stores. Add one with `stores put`.'),
  };
};

/** Finds the ids that no store of a stage has. The stores of `accept` and of the canary have keys, but no record. */
export const findUnknownStores = async ({ stores, apiKeys }: Stores, storeIds: readonly string[]) => {
  const known = new Set<string>();
  const unknown = () => new Set(storeIds.filter((id) => !known.has(id)));
  const [first] = storeIds;
  // One read is enough for most commands. It may miss a store of the last second, which the list has.
  if (first !== undefined && (await stores.find(first))) known.add(first);
  if (unknown().size > 0) for (const { id } of await stores.list()) known.add(id);
  if (unknown().size > 0) for (const { key } of await apiKeys.list()) if (key) known.add(key.storeId);
  return { unknown: unknown(), known };
};

/**
 * Checks that a store exists, so that a mistyped id creates nothing and never looks like an empty store. Returns the id.
 *
 * @throws OperatorError with the id that was most likely meant
 */
export const findStoreId = async (storeId: string, { stores }: Context): Promise<string> => {
  const { unknown, known } = await findUnknownStores(stores, [storeId]);
  if (!unknown.has(storeId)) return storeId;
  const closest = closestName(storeId, [...known]);
  const remedy =
    closest === undefined
      ? 'check its id with `stores list`, or add it with `stores put`.'
      : `did you mean ${closest}?`;
  throw new OperatorError(`There is no store ${storeId}: ${remedy}`);
};
