import type { Environment } from '../environment/environment.ts';
import {
  failing,
  failNetwork,
  freezeDatabase,
  killDatabase,
  killStage,
  repeatingWrites,
  type Injection,
} from '../environment/injections.ts';

/** Load with a fault. The fault is repeated until enough requests were in flight during it. */
export interface RequestsScenario {
  readonly name: string;
  /** The least number of requests: during the fault, or in all if there is none. */
  readonly requests: number;
  readonly inject?: Injection<Environment>;
  /** The service process that fails. Default: the database fails */
  readonly stage?: number;
}

/** The faults that requests must survive. */
export const REQUESTS_SCENARIOS: readonly RequestsScenario[] = [
  { name: 'no fault', requests: 10_000 },
  { name: 'database killed', requests: 6_000, inject: killDatabase },
  { name: 'database frozen for 5 s', requests: 600, inject: freezeDatabase },
  {
    name: 'database slower by 2 s',
    requests: 1_200,
    inject: failNetwork({ delayMs: 2_000 }, 15_000),
  },
  {
    name: 'connections cut mid-response',
    requests: 50_000,
    inject: failNetwork({ fateOf: failing({ cut: 0.2 }) }, 30_000),
  },
  {
    name: 'responses lost after a write',
    requests: 40_000,
    inject: failNetwork({ fateOf: failing({ lost: 0.2, silent: 0.005 }) }, 30_000),
  },
  {
    name: 'one of ten writes repeated',
    requests: 6_000,
    inject: failNetwork({ fateOf: repeatingWrites }, 30_000),
  },
  { name: 'service process 0 killed', requests: 1_500, inject: killStage(0), stage: 0 },
  { name: 'service process 1 killed', requests: 1_500, inject: killStage(1), stage: 1 },
];
