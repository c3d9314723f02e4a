import { join } from 'node:path';
import { type Stage, startLocalStage } from '../http/stage.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { type BenchRequest, createRequest, retrieveRequest } from '../support/requests.ts';
import { cartIdOf, secretOf } from './seed-items.ts';
import { seed } from './seed.ts';

export const KEYS = 10_000;

export type Operation = 'create' | 'retrieve';

/** A local stage on a database with so many carts. */
export interface Tier {
  readonly carts: number;
  readonly seededSeconds: number;
  readonly stage: Stage;
  readonly database: BenchDatabase;
}

export const startTier = async (folder: string, carts: number): Promise<Tier> => {
  const file = join(folder, `${carts}.sqlite`);
  const startedAtMs = performance.now();
  await seed(file, carts, KEYS);
  const seededSeconds = (performance.now() - startedAtMs) / 1_000;
  const database = await startBenchDatabase(file);
  const stage = await startLocalStage(database, join(folder, `${carts}.log`));
  return { carts, seededSeconds, stage, database };
};

const below = (count: number): number => Math.floor(Math.random() * count);

/** A request by any of the keys, for any of the carts. */
export const anyRequest = (operation: Operation, { carts }: Pick<Tier, 'carts'>): BenchRequest => {
  const apiKey = secretOf(below(KEYS));
  return operation === 'create' ? createRequest(apiKey) : retrieveRequest(apiKey, cartIdOf(below(carts)));
};
