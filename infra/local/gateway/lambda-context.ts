import type { Context } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';

export interface Invocation {
  readonly functionName: string;
  /** The id of the invocation. It differs from the gateway's request id, as on AWS. */
  readonly awsRequestId: string;
  readonly timeoutMs: number;
  readonly now: Clock;
}

/** The `Context` of an invocation, as the runtime `nodejs24.x` makes it. Its time limit starts with this call. */
export const createLambdaContext = ({ functionName, awsRequestId, timeoutMs, now }: Invocation): Context => {
  const startedAtMs = now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    get logStreamName() {
      const day = new Date(startedAtMs).toISOString().slice(0, 10).replaceAll('-', '/');
      return `${day}/[$LATEST]local`;
    },
    getRemainingTimeInMillis: () => Math.max(0, startedAtMs + timeoutMs - now()),
    // The type still requires these three callbacks. The runtime nodejs24.x has none.
    // oxlint-disable typescript/no-deprecated
    done: rejectCallback,
    fail: rejectCallback,
    succeed: rejectCallback,
    // oxlint-enable typescript/no-deprecated
  };
};

const rejectCallback = (): never => {
  throw new Error('nodejs24.x has no callbacks: return a promise');
};
