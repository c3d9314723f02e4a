import type { Context } from 'aws-lambda';
import type { Clock } from '../../../lib/clock.ts';

/** What a local invocation is made of. */
export interface Invocation {
  readonly functionName: string;
  /** The id of this invocation; on AWS it differs from the gateway's request id, so here too. */
  readonly awsRequestId: string;
  readonly timeoutMs: number;
  readonly now: Clock;
}

const REGION = 'us-east-1';
const ACCOUNT_ID = '000000000000';
const MEMORY_MB = 1_024;

/**
 * The `Context` of one invocation, as the Lambda runtime `nodejs24.x` makes it.
 * The time that remains is counted from this call.
 */
export const createLambdaContext = ({ functionName, awsRequestId, timeoutMs, now }: Invocation): Context => {
  const startedAtMs = now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:${functionName}`,
    memoryLimitInMB: String(MEMORY_MB),
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: `${logDay(startedAtMs)}/[$LATEST]local`,
    getRemainingTimeInMillis: () => Math.max(0, startedAtMs + timeoutMs - now()),
    // The type still demands these three, but from nodejs24.x on a function answers by its promise alone.
    // oxlint-disable typescript/no-deprecated
    done: refuseCallbackStyle,
    fail: refuseCallbackStyle,
    succeed: refuseCallbackStyle,
    // oxlint-enable typescript/no-deprecated
  };
};

const logDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '/');

const refuseCallbackStyle = (): never => {
  throw new Error('A function answers by the promise it returns; nodejs24.x has no callbacks');
};
