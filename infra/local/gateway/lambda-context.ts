import type { Context } from 'aws-lambda';
import type { Clock } from '../../../lib/core/clock.ts';

export interface Invocation {
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
