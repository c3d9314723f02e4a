import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import type { OperationRequest } from '../../../support/functions/invoke.ts';
import { type BenchDatabase, issueKey } from './database.ts';
import { AMPLE_LIMITS, CART_BODY, benchCart, PRODUCT } from './items.ts';

/** The file of the bare function that `overhead` and `http` compare with a function of the service. */
export const bareFileOf = (functionName: string): string =>
  join(import.meta.dirname, '../bare', `${functionName}.ts`);

/** Whether an operation changes nothing. */
const isRead = (name: OperationName): boolean => OPERATIONS[name].method === 'GET';

/** The merchants' operations whose function has a bare counterpart. Reads come first, because creations change data. */
export const BENCH_OPERATIONS = (Object.keys(OPERATIONS) as OperationName[])
  .filter((name) => OPERATIONS[name].caller === 'merchant')
  .filter((name) => existsSync(bareFileOf(OPERATIONS[name].functionName)))
  .toSorted((a, b) => Number(isRead(b)) - Number(isRead(a)));

/** Makes a request to an operation. The cart fills the path's `{cartId}`. */
export const benchRequest = (name: OperationName, apiKey: string, cartId: string): OperationRequest => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return name === 'createCartCheckout'
    ? { headers: { ...headers, 'Content-Type': 'application/json' }, body: CART_BODY }
    : { headers, pathParameters: { cartId } };
};

/** Stores a key that is half full, a product and a cart. Returns a request for each operation. */
export const givenRequests = async ({
  documents,
}: BenchDatabase): Promise<(name: OperationName) => OperationRequest> => {
  const apiKey = await issueKey(documents, AMPLE_LIMITS, AMPLE_LIMITS.limit / 2);
  const id = randomUUID();
  const { products, testCarts } = LOCAL_TABLE_NAMES;
  await documents.send(new PutCommand({ TableName: products, Item: PRODUCT }));
  await documents.send(new PutCommand({ TableName: testCarts, Item: toCartItem(benchCart(id, Date.now())) }));
  return (name) => benchRequest(name, apiKey, id);
};
