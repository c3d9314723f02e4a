import type { Context } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';

export interface Invocation {
  readonly functionName: string;
  /** The id of the invocation. It differs from the gateway's request id, as on AWS. */
  readonly awsRequestId: string;
  readonly timeoutMs: number;
  readonly now: Clock;
}

/** The `Context` of an invocation. Its time limit starts with this call. The runtime nodejs24.x has no callbacks. */
export const createLambdaContext = ({ functionName, awsRequestId, timeoutMs, now }: Invocation): Context => {
  const startedAtMs = now();
  const context: Omit<Context, 'done' | 'fail' | 'succeed'> = {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: '[$LATEST]local',
    getRemainingTimeInMillis: () => Math.max(0, startedAtMs + timeoutMs - now()),
  };
  return context as Context;
};
