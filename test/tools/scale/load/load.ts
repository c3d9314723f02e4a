import {
  COLD_START_MS,
  durationMs,
  FUNCTION_MEMORY_MB,
  type Operation,
  type OperationCost,
} from '../measured.ts';

/** What each operation costs. */
export type Costs = Readonly<Record<Operation, OperationCost>>;

/** One creation to three retrievals, as of a merchant who creates a cart and then asks for it until it is paid. */
const SHARES: Readonly<Record<Operation, number>> = { create: 1 / 4, retrieve: 3 / 4 };

/** What a steady rate of requests asks of each service, a second unless a name says otherwise. */
export interface Load {
  readonly requests: number;
  readonly creations: number;
  /** Environments that are busy at a time: rate times duration (Little's law). */
  readonly concurrency: number;
  /** Environments of the busier function that start, where none ran and the rate is there at once. */
  readonly coldEnvironments: number;
  /** As Lambda bills them: each request's duration rounded up to a millisecond. */
  readonly gigabyteSeconds: number;
  readonly keyWrites: number;
  readonly cartWrites: number;
  readonly productReads: number;
  readonly cartReads: number;
  readonly logBytes: number;
}

/** The load of a rate of requests, mixed as {@link SHARES}. */
export const loadOf = (requestsPerSecond: number, costs: Costs): Load => {
  const sum = (of: (cost: OperationCost) => number): number =>
    requestsPerSecond * (SHARES.create * of(costs.create) + SHARES.retrieve * of(costs.retrieve));
  return {
    requests: requestsPerSecond,
    creations: requestsPerSecond * SHARES.create,
    concurrency: sum(durationMs) / 1_000,
    coldEnvironments: (requestsPerSecond * Math.max(SHARES.create, SHARES.retrieve) * COLD_START_MS) / 1_000,
    gigabyteSeconds: (sum((cost) => Math.ceil(durationMs(cost))) / 1_000) * (FUNCTION_MEMORY_MB / 1_024),
    keyWrites: sum((cost) => cost.keyWrites),
    cartWrites: sum((cost) => cost.cartWrites),
    productReads: sum((cost) => cost.productReads),
    cartReads: sum((cost) => cost.cartReads),
    logBytes: sum((cost) => cost.logBytes),
  };
};
