/**
 * What one request of each operation takes. Each figure says where it comes from: measured here, or assumed. Of the
 * rest of the model, `load/prices.ts` and `load/quotas.ts` are published, and everything else follows.
 */
export interface OperationCost {
  /** Milliseconds of processor time on a whole core. */
  readonly cpuMs: number;
  /** Calls to DynamoDB that wait for one another. */
  readonly roundTrips: number;
  /** Write units, by table. */
  readonly keyWrites: number;
  readonly cartWrites: number;
  /** Read units, by table. */
  readonly productReads: number;
  readonly cartReads: number;
  /** Log lines of function, Lambda and gateway. */
  readonly logBytes: number;
}

export type Operation = 'create' | 'retrieve';

/** When, where and by what command `cpuMs` was measured. */
export const MEASUREMENT = {
  date: '2026-11-21',
  machine: '2 x Intel Xeon',
  command: 'npm run bench -- overhead',
} as const;

/**
 * `cpuMs`: measured, see {@link MEASUREMENT}. Units: measured by `test/functions/consumed-capacity.test.ts`, of items
 * under 1 KB. Round trips: the code's, where the read of product or cart runs beside the token's. `logBytes`: assumed,
 * as in docs/cost.md.
 */
export const OPERATIONS: Readonly<Record<Operation, OperationCost>> = {
  create: {
    cpuMs: 2.03,
    roundTrips: 2,
    keyWrites: 1,
    cartWrites: 1,
    productReads: 0.5,
    cartReads: 0,
    logBytes: 1_200,
  },
  retrieve: {
    cpuMs: 1.29,
    roundTrips: 1,
    keyWrites: 1,
    cartWrites: 0,
    productReads: 0,
    cartReads: 1,
    logBytes: 1_000,
  },
};

/** Assumed: AWS publishes "single-digit milliseconds" for DynamoDB. */
export const ROUND_TRIP_MS = 5;

/** Assumed: from a request that finds no environment to its answer. */
export const COLD_START_MS = 500;

/** Assumed: what a stored cart takes at most; a cart under it costs one write unit. */
export const CART_BYTES = 1_000;

/** Of a function: `MEMORY_MB` in `infra/service-function.ts`, which a test compares. */
export const FUNCTION_MEMORY_MB = 1_024;

/** Published: a function of so much memory has one processor, one of less its share (Lambda, "Configure memory"). */
const MEMORY_OF_ONE_CPU_MB = 1_769;

/** Milliseconds of a request's processor time in a function, which has a share of one processor. */
export const functionCpuMs = ({ cpuMs }: OperationCost): number =>
  (cpuMs * MEMORY_OF_ONE_CPU_MB) / FUNCTION_MEMORY_MB;

/** Milliseconds that a request keeps its environment: waiting, then computing. */
export const durationMs = (operation: OperationCost): number =>
  operation.roundTrips * ROUND_TRIP_MS + functionCpuMs(operation);
