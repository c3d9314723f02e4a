import type { Cart } from '../../../lib/carts/cart.ts';
import type { ReadApiKey } from '../../../lib/operators/api-key-repository.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import { closestName } from '../../terminal/closest-name.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from './context.ts';
import type { Repositories } from '../target/repositories.ts';

/** The error for a key that is revoked or expired. */
export const endedKey = (keyId: string): OperatorError =>
  new OperatorError(`The key ${keyId} is revoked or expired: issue a new one.`);

/** The sentence about a key whose item is invalid. */
export const unreadableKey = (keyId: string): string =>
  `${keyId} is stored in an invalid form and works nowhere.`;

/** The digits of a whole id. */
const ID_DIGITS = 64;

/**
 * Finds a key by its id, or by the beginning of its id, for which it reads the whole table of keys.
 * `key` is missing if its item is invalid.
 *
 * @throws OperatorError if there is no such key, or if there are several
 */
export const findKey = async (
  prefix: string,
  { repositories: { apiKeys } }: Context,
): Promise<ReadApiKey> => {
  if (prefix.length === ID_DIGITS) {
    // A revocation must work without the right to scan, and while scans fail.
    const whole = await apiKeys.find(prefix);
    if (whole) return whole;
    throw new OperatorError(`No key has the id ${prefix}.`);
  }
  const found = (await apiKeys.list()).filter(({ keyId }) => keyId.startsWith(prefix));
  const [first, ...others] = found;
  if (!first) throw new OperatorError(`No key has an id that begins with ${prefix}.`);
  if (others.length === 0) return first;
  throw new OperatorError(
    `${found.length} keys have an id that begins with ${prefix}: pass more digits, from \`keys list --json\`.`,
  );
};

/**
 * Finds a key that still works.
 *
 * @throws OperatorError as {@link findKey} does, and if the key is revoked, expired or stored in an invalid form
 */
export const findUsableKey = async (prefix: string, context: Context): Promise<StoredApiKey> => {
  const { keyId, key } = await findKey(prefix, context);
  if (!key) throw new OperatorError(`${unreadableKey(keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, context.now())) throw endedKey(keyId);
  return key;
};

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
export const findStoreId = async (storeId: string, { repositories }: Context): Promise<string> => {
  const { unknown, known } = await findUnknownStores(repositories, [storeId]);
  if (!unknown.has(storeId)) return storeId;
  const closest = closestName(storeId, [...known]);
  const remedy =
    closest === undefined
      ? 'check its id with `stores list`, or add it with `stores put`.'
      : `did you mean ${closest}?`;
  throw new OperatorError(`There is no store ${storeId}: ${remedy}`);
};

/** The error for an id that no endpoint has. */
export const unknownEndpoint = (id: string): OperatorError =>
  new OperatorError(`No webhook endpoint has the id ${id}: find it with \`webhooks list\`.`);

/**
 * Finds a webhook endpoint. Its id alone finds it: the table of endpoints is small.
 *
 * @throws OperatorError if there is none
 */
export const findEndpoint = async (id: string, { repositories }: Context): Promise<EndpointWithState> => {
  const endpoint = await repositories.endpoints.find(id);
  if (!endpoint) throw unknownEndpoint(id);
  return endpoint;
};

/**
 * Finds a cart of either mode.
 *
 * @throws OperatorError if there is none
 */
export const findCart = async (id: string, { repositories }: Context): Promise<Cart> => {
  const cart = await repositories.findCart(id);
  if (!cart) throw new OperatorError(`No cart has the id ${id}.`);
  return cart;
};
