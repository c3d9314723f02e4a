import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Lambda's detection of recursive loops. The SDK sends the trace header of its invocation, and SQS keeps it with the message.
 * In the header, Lambda counts the invocations of a chain of function, queue and function. It stops the chain after about 16
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
 *
 * The local stage is as harsh, because Lambda drops the messages of a loop silently. Here, the header has the round: the number of
 * the invocation in its chain, from 1.
 */
export const ROUNDS_MAX = 16;

const headers = new AsyncLocalStorage<string | undefined>();

/** The part of Lambda's runtime that the SDK asks for the trace header: `recursionDetectionMiddleware`. */
interface LambdaRuntime {
  InvokeStore?: { getXRayTraceId: () => string | undefined };
}

// The SDK's own store has one value for the process. Here, many invocations run at the same time.
const runtime: LambdaRuntime = ((globalThis as { awslambda?: LambdaRuntime }).awslambda ??= {});
const getXRayTraceId = (): string | undefined => headers.getStore();
if (runtime.InvokeStore) runtime.InvokeStore.getXRayTraceId = getXRayTraceId;
else runtime.InvokeStore = { getXRayTraceId };

/**
 * Runs an invocation. If the environment has `AWS_LAMBDA_FUNCTION_NAME`, its SDK calls have the round in their trace header.
 *
 * @param round absent if no queue invokes the function
 */
export const runInRound = <Result>(round: number | undefined, run: () => Promise<Result>): Promise<Result> =>
  headers.run(
    round === undefined ? undefined : `Root=1-00000000-000000000000000000000000;Lineage=${round}`,
    run,
  );

/** The round in a trace header. 0 if it has none. */
export const roundOf = (header: string | undefined): number =>
  Number(/(?:^|;)Lineage=(\d+)/.exec(header ?? '')?.[1] ?? 0);
