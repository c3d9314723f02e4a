import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { callJson } from './aws.ts';
import type { DeployedStage } from './stage.ts';

/** A deployed stage with a key of the store `shop`. */
interface StageWithKey extends DeployedStage {
  readonly apiKey: string;
}

/** A deployed stage, its emulator and a function that creates carts, for tests in several files. */
export interface StageTests {
  /** The address of the emulator. */
  readonly endpoint: () => string;
  readonly stage: () => StageWithKey;
  /** Creates a test cart. Returns its id. */
  readonly createCart: (stage: StageWithKey) => Promise<string>;
}

/** Looks every 100 ms until it finds something. The test's timeout ends the wait. */
export const waitUntil = <Found>(
  look: () => Found | Promise<Found>,
): Promise<Exclude<Found, undefined | false>> =>
  vi.waitUntil(look, { interval: 100, timeout: 300_000 }) as Promise<Exclude<Found, undefined | false>>;

/** Performs an action on the payment page of a test cart. */
export const perform = async (
  { baseUrl }: StageWithKey,
  action: 'pay' | 'expire',
  cartId: string,
): Promise<void> => {
  const body = new URLSearchParams({ action });
  const page = `${baseUrl}/sandbox/checkout/${cartId}`;
  expect((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
};

/** Stores a copy of a test cart with another time, as if time had passed. Returns its id. */
export const storeCopy = async (
  { endpoint, stage }: Pick<StageTests, 'endpoint' | 'stage'>,
  cartId: string,
  times: Readonly<Record<string, number>>,
): Promise<string> => {
  const call = async (operation: string, request: object): Promise<Record<string, unknown>> => {
    const TableName = stage().outputs['TestCartsTable'];
    const text = await callJson(endpoint(), 'dynamodb', `DynamoDB_20120810.${operation}`, {
      TableName,
      ...request,
    });
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { Item } = (await call('GetItem', { Key: { id: { S: cartId } } })) as { Item: object };
  const id = randomUUID();
  const changes = Object.entries(times).map(([name, timeMs]) => [name, { N: String(timeMs) }]);
  await call('PutItem', { Item: { ...Item, id: { S: id }, ...Object.fromEntries(changes) } });
  return id;
};
