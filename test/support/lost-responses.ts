import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { onTestFinished } from 'vitest';
import { listen } from '../../infra/local/gateway/listen.ts';

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

/** A proxy in front of a DynamoDB that loses the response to each UpdateItem. It ends with the test. */
export const givenLostUpdates = async (target: string): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    const forward = async (): Promise<void> => {
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(
          ([name]) => !/^(host|connection|content-length|expect)$/.test(name),
        ),
      ) as Record<string, string>;
      const response = await fetch(target, { method: 'POST', headers, body: await buffer(incoming) });
      const body = Buffer.from(await response.arrayBuffer());
      if (String(headers['x-amz-target']).endsWith('.UpdateItem')) outgoing.destroy();
      else outgoing.writeHead(response.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);
    };
    forward().catch(() => outgoing.destroy());
  });
  const port = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
};
