import { DELIVERIES_TIMEOUT_MS, EVENT_FUNCTIONS, FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';
import type { FunctionName } from './concurrency.ts';

/** The resources of one execution of a function. */
interface FunctionLimits {
  /** A function with 1,769 MB has one processor, others a share of one. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Whether the function may continue a recursive loop. Otherwise, Lambda stops it after about 16 invocations. */
  readonly allowsRecursion?: true;
}

/** A caller waits for these functions, so they have 0.58 of a processor. */
const HTTP_LIMITS: FunctionLimits = { memoryMb: 1_024, timeoutSeconds: FUNCTION_TIMEOUT_MS / 1_000 };

const EVENT_LIMITS: Readonly<Record<keyof typeof EVENT_FUNCTIONS, FunctionLimits>> = {
  // A payment takes three or four round trips to DynamoDB.
  'record-payment': { memoryMb: 1_024, timeoutSeconds: 6 },
  canary: { memoryMb: 1_024, timeoutSeconds: 6 },
  // A batch has at most 100 events.
  'fan-out-events': { memoryMb: 256, timeoutSeconds: 30 },
  // It ends before the next run starts.
  'run-due': { memoryMb: 512, timeoutSeconds: 55 },
  // The function mostly waits for receivers. With batches of ten deliveries of 25 KB, its process takes 113 MB.
  'deliver-webhooks': {
    memoryMb: 192,
    timeoutSeconds: DELIVERIES_TIMEOUT_MS / 1_000,
    // An endpoint that recovers gets its parked deliveries by one chain of messages. The chain ends with the last of them,
    // because attempts are limited. A message repeats without an attempt only after a conflict with other writers.
    allowsRecursion: true,
  },
};

const isEventFunction = (name: FunctionName): name is keyof typeof EVENT_FUNCTIONS => name in EVENT_FUNCTIONS;

/** The resources of one execution of this function. */
export const limitsOf = (name: FunctionName): FunctionLimits =>
  isEventFunction(name) ? EVENT_LIMITS[name] : HTTP_LIMITS;

/** Whether a client waits for the function's response. */
export const isHttpFunction = (name: FunctionName): boolean => !isEventFunction(name);
