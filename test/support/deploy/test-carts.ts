import { vi } from 'vitest';
import { DAY_MS } from '../../../lib/core/durations.ts';
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

/** Changes times of a stored cart, as if time had passed. */
export const setTimes = async (
  endpoint: string,
  table: string | undefined,
  cartId: string,
  times: Readonly<Record<string, number>>,
): Promise<void> => {
  const names = Object.keys(times);
  await callJson(endpoint, 'dynamodb', 'DynamoDB_20120810.UpdateItem', {
    TableName: table,
    Key: { id: { S: cartId } },
    ConditionExpression: 'attribute_exists(id)',
    UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}`,
    ExpressionAttributeValues: Object.fromEntries(
      names.map((name) => [`:${name}`, { N: String(times[name]) }]),
    ),
  });
};

/** Moves the completion of a stored cart so many days back. Its erasure is then due after the retention. */
export const completeEarlier = (
  endpoint: string,
  table: string | undefined,
  cartId: string,
  days: number,
): Promise<void> => {
  const completedAtMs = Date.now() - days * DAY_MS;
  const times = { updatedAtMs: completedAtMs, completedAtMs, timerAtMs: completedAtMs };
  return setTimes(endpoint, table, cartId, times);
};
