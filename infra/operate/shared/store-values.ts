import { CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';
import { foundType, ID, typeOf } from '../frame/value-types.ts';
import type { Repositories } from '../target/repositories.ts';

/** Finds the ids that no store of a stage has. The stores of `accept` and of the canary have keys, but no record. */
export const findUnknownStores = async ({ stores, apiKeys }: Repositories, storeIds: readonly string[]) => {
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
const findStoreId = async (storeId: string, { repositories }: Context): Promise<string> => {
  const { unknown, known } = await findUnknownStores(repositories, [storeId]);
  if (!unknown.has(storeId)) return storeId;
  // Help needs no package but Commander.
  const { closestName } = await import('../../terminal/closest-name.ts');
  const closest = closestName(storeId, [...known]);
  const remedy =
    closest === undefined
      ? 'check its id with `stores list`, or add it with `stores put`.'
      : `did you mean ${closest}?`;
  throw new OperatorError(`There is no store ${storeId}: ${remedy}`);
};

/** The id of an existing store. */
export const STORE = foundType(ID, findStoreId);

/** The id of a merchant's store, which the stage may lack. */
export const MERCHANTS_STORE_ID = typeOf(
  'id',
  'It is reserved for the canary, whose requests count in no metric.',
  (text, nowMs) => (text === CANARY_STORE_ID ? undefined : (ID.parse(text, nowMs) as string)),
);

/** The id of an existing store of a merchant. */
export const MERCHANTS_STORE = foundType(MERCHANTS_STORE_ID, findStoreId);
