import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Loses the responses to the next writes, as a broken connection does. Each write is done, and the SDK repeats it until
 * its attempts are used up.
 *
 * @param count how many responses
 */
export const loseResponses = (documents: DynamoDBDocumentClient, count: number): void => {
  let left = count;
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const response = await next(call);
        if (!/Put|Update/.test(commandName) || left === 0) return response;
        left -= 1;
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      },
    // Within the SDK's retries, and around one attempt.
    { step: 'finalizeRequest', priority: 'low', name: `lose-responses-${randomUUID()}` },
  );
};
