import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';

interface Invocation {
  readonly functionName: string;
  /** The id of the invocation. It differs from the gateway's request id, as on AWS. */
  readonly awsRequestId: string;
  readonly timeoutMs: number;
  readonly now: Clock;
}

/** The `Context` of an invocation, with the fields that functions read. Its time limit starts with this call. */
export const createLambdaContext = ({ functionName, awsRequestId, timeoutMs, now }: Invocation): Context => {
  const startedAtMs = now();
  const getRemainingTimeInMillis = (): number => Math.max(0, startedAtMs + timeoutMs - now());
  return { functionName, awsRequestId, getRemainingTimeInMillis } as Context;
};

/** The handler of a function. */
export type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/**
 * Loads the handlers of functions by their names, the folders in `functions/`. As on Lambda, a function's module reads the
 * environment once, on import.
 */
export const loadHandlers = async (names: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
  const loaded = names.map(async (name) => {
    // In this form, esbuild includes each function in the package.
    const module = (await import(`../../../functions/${name}/handler.ts`)) as { readonly handler: unknown };
    return [name, module.handler] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
};

/** A function returned no result in time. */
export class FunctionTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms`);
    this.name = 'FunctionTimeoutError';
  }
}

/**
 * Invokes a function as Lambda does, except that a function that exceeds its time limit runs on.
 *
 * @throws FunctionTimeoutError after the time limit, or any error of the function
 */
export const invoke = async <Event, Result>(
  handler: Handler<Event, Result>,
  event: Event,
  { functionName, timeoutMs }: Pick<Invocation, 'functionName' | 'timeoutMs'>,
): Promise<Result> => {
  const invocation = { functionName, awsRequestId: randomUUID(), timeoutMs, now: Date.now };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Created only on a timeout: an error with its stack for each request would cost a tenth of the gateway's CPU time.
    timer = setTimeout(() => reject(new FunctionTimeoutError(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([handler(event, createLambdaContext(invocation)), timeout]);
  } finally {
    clearTimeout(timer);
  }
};
