import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import type { TrueClock } from '../../lib/core/true-clock.ts';

/** More than for a request, and also after a throttled call: an operator can wait. */
const ATTEMPTS_MAX = 5;

/** Corrects a clock by every response of DynamoDB, whatever its status. The SDK calls this for each attempt. */
const observeDates = ({ middlewareStack }: DynamoDBClient, clock: TrueClock): void =>
  middlewareStack.add(
    (next) => async (call) => {
      const endCall = clock.startCall();
      const output = await next(call);
      const { headers } = output.response as { readonly headers: Readonly<Record<string, string>> };
      // A proxy's own response has no request id, and the time of another machine.
      if (headers['x-amzn-requestid'] !== undefined) endCall(headers['date'] ?? '');
      return output;
    },
    { step: 'deserialize', priority: 'low', name: 'observeDates' },
  );

/**
 * The document client for a deployed stage. It is the SDK's, whose chain of credentials finds those of the operator.
 *
 * @param clock the clock that the responses of DynamoDB correct
 */
export const createSdkDocumentClient = (clock?: TrueClock): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    retryStrategy: new StandardRetryStrategy(ATTEMPTS_MAX),
    requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  if (clock) observeDates(client, clock);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};
