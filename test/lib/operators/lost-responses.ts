import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { aroundRequests } from '../../support/database/client-calls.ts';

/**
 * Loses the responses to the next writes, as a broken connection does. Each write is done, and the SDK repeats it until
 * its attempts are used up.
 *
 * @param count how many responses
 */
export const loseResponses = (documents: DynamoDBDocumentClient, count: number): void => {
  let left = count;
  aroundRequests(documents, async ({ headers }, send) => {
    const response = await send();
    const isWrite = /^DynamoDB_20120810\..*(?:Put|Update)/.test(headers['x-amz-target'] ?? '');
    if (!isWrite || left === 0) return response;
    left -= 1;
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
  });
};
