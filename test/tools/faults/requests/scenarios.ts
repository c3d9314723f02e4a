import {
  failing,
  failingNetwork,
  frozenDatabase,
  killedDatabase,
  killedStage,
  repeatingWrites,
  type Strike,
} from '../world/strikes.ts';
import type { World } from '../world/world.ts';

/** Load with a fault. The fault is repeated until enough requests were in flight during it. */
export interface RequestsScenario {
  readonly name: string;
  /** The least number of requests: during the fault, or in all if there is none. */
  readonly requests: number;
  readonly strike?: Strike<World>;
  /** The service process that fails. Default: the database fails */
  readonly stage?: number;
}

/** The faults that requests must survive. */
export const REQUESTS_SCENARIOS: readonly RequestsScenario[] = [
  { name: 'no fault', requests: 10_000 },
  { name: 'database killed', requests: 6_000, strike: killedDatabase },
  { name: 'database frozen for 5 s', requests: 600, strike: frozenDatabase },
  {
    name: 'database slower by 2 s',
    requests: 1_200,
    strike: failingNetwork({ delayMs: 2_000 }, 15_000),
  },
  {
    name: 'connections cut mid-response',
    requests: 50_000,
    strike: failingNetwork({ fateOf: failing({ cut: 0.2 }) }, 30_000),
  },
  {
    name: 'responses lost after a write',
    requests: 40_000,
    strike: failingNetwork({ fateOf: failing({ lost: 0.2, silent: 0.005 }) }, 30_000),
  },
  {
    name: 'one of ten writes repeated',
    requests: 6_000,
    strike: failingNetwork({ fateOf: repeatingWrites }, 30_000),
  },
  { name: 'service process 0 killed', requests: 1_500, strike: killedStage(0), stage: 0 },
  { name: 'service process 1 killed', requests: 1_500, strike: killedStage(1), stage: 1 },
];
