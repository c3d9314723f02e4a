import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import { type Stage, startLocalStage } from '../http/stage.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database.ts';
import { type BenchRequest, createRequest, retrieveRequest } from '../support/requests.ts';
import { cartIdOf, secretOf } from './seed-items.ts';
import { seed } from './seed.ts';

export const KEYS = 10_000;

/** A local stage on a database with so many carts, and what was measured on it: milliseconds, by round. */
export interface Tier {
  readonly carts: number;
  readonly seededSeconds: number;
  readonly stage: Stage;
  readonly database: BenchDatabase;
  readonly p50s: { readonly create: number[]; readonly retrieve: number[] };
}

export const startTier = async (folder: string, carts: number): Promise<Tier> => {
  const file = join(folder, `${carts}.sqlite`);
  const startedAtMs = performance.now();
  await seed(file, carts, KEYS);
  const seededSeconds = (performance.now() - startedAtMs) / 1_000;
  const database = await startBenchDatabase(file);
  const stage = await startLocalStage(database, join(folder, `${carts}.log`));
  return { carts, seededSeconds, stage, database, p50s: { create: [], retrieve: [] } };
};

const below = (count: number): number => Math.floor(Math.random() * count);

/** A request by any of the keys, for any of the carts. */
export const anyRequest = (
  operation: 'create' | 'retrieve',
  { carts }: Pick<Tier, 'carts'>,
): BenchRequest => {
  const apiKey = secretOf(below(KEYS));
  return operation === 'create' ? createRequest(apiKey) : retrieveRequest(apiKey, cartIdOf(below(carts)));
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (baseUrl: string, { method, path, headers, body = '' }: BenchRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${baseUrl}${path}`, { method, agent, headers: { ...headers, ...length } });
    sent.once('error', reject).once('response', (response) => {
      response.resume().once('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`${method} ${path} was answered ${String(response.statusCode)}`));
      });
    });
    sent.end(body);
  });

/** The median latency in milliseconds of so many requests, one after the other on one connection. */
export const measureP50 = async (
  tier: Tier,
  operation: 'create' | 'retrieve',
  count: number,
): Promise<number> => {
  const requests = Array.from({ length: count }, () => anyRequest(operation, tier));
  const bench = new Bench({ iterations: count, time: 0, warmup: false, throws: true });
  bench.add(operation, () => send(tier.stage.baseUrl, requests.pop()!), { async: true });
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error('The round did not complete');
  return task.result.latency.p50;
};
