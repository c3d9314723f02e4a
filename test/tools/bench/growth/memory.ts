import { execFileSync } from 'node:child_process';
import type { Load, LoadResult } from '../http/load.ts';
import type { Worker } from '../support/worker.ts';
import { anyRequest, type Tier } from './tier.ts';

const CHUNKS = 20;
const CONNECTIONS = 16;

const residentMegabytes = (processId: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' })) / 1_000;

/** The resident memory of a stage's process in megabytes after each twentieth of so many requests, half of them creates. */
export const measureMemory = async (tier: Tier, load: Worker, requestCount: number): Promise<number[]> => {
  const megabytes: number[] = [];
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const asked: Load = {
      url: tier.stage.baseUrl,
      connections: CONNECTIONS,
      count: requestCount / CHUNKS,
      requests: Array.from({ length: requestCount / CHUNKS }, (_, index) =>
        anyRequest(index % 2 === 0 ? 'create' : 'retrieve', tier),
      ),
    };
    await load.ask<LoadResult>(asked);
    megabytes.push(residentMegabytes(tier.stage.processId));
  }
  return megabytes;
};
