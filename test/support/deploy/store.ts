import assert from 'node:assert/strict';
import { BUYER } from '../secrets.ts';
import { cartIdOf } from '../service/http-client.ts';
import type { DeployedStage } from './stage.ts';

/** The largest limits of a key on the stage of a branch. */
const LIMITS = ['--limit', '100', '--window', '5'];

/** Adds the store `shop` with these products. Returns a test key of it. */
export const addStoreWithKey = async (
  { operate }: Pick<DeployedStage, 'operate'>,
  productIds: readonly string[] = ['course'],
): Promise<string> => {
  await operate('stores', 'put', 'shop', '--name', 'Shop');
  for (const id of productIds) {
    const flags = ['--store', 'shop', '--name', 'Course', '--currency', 'EUR', '--price', '49.9'];
    await operate('products', 'put', id, ...flags);
  }
  return String((await operate('keys', 'issue', '--store', 'shop', ...LIMITS))['apiKey']);
};

/** Creates a test cart of the product `course`. Returns its id. */
export const createCart = async (stage: {
  readonly client: DeployedStage['client'];
  readonly apiKey: string;
}): Promise<string> => {
  const body = JSON.stringify({ productDocumentId: 'course', ...BUYER });
  const response = await stage.client.createCart(body, { apiKey: stage.apiKey });
  assert.equal(response.status, 201, response.bodyText);
  return cartIdOf(response);
};
