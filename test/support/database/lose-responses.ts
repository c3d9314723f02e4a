import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { aroundRequests } from './client-calls.ts';
import { isWrite } from './consumed-units.ts';

/**
 * Loses responses to writes, as a broken connection does. Each write is done, and the SDK repeats it until its attempts are
 * used up.
 *
 * @param isLost whether the response to the next write is lost. It is asked once for each attempt
 */
export const loseResponsesIf = (documents: DynamoDBDocumentClient, isLost: () => boolean): void =>
  aroundRequests(documents, async ({ headers }, send) => {
    const response = await send();
    const operation = headers['x-amz-target']?.replace(/^.*\./, '') ?? '';
    if (!isWrite({ operation }) || !isLost()) return response;
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
  });

/** Loses the responses to the next writes. */
export const loseResponses = (documents: DynamoDBDocumentClient, count: number): void => {
  let left = count;
  loseResponsesIf(documents, () => {
    left -= 1;
    return left >= 0;
  });
};
