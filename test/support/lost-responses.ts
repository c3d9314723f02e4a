import type { LeanDocuments } from '../../lib/aws/document-client.ts';

/**
 * Loses the responses to the next writes, as a broken connection does. Each write is done, and the SDK repeats it until
 * its attempts are used up.
 *
 * @param count how many responses
 */
export const loseResponses = (documents: LeanDocuments, count: number): void => {
  let left = count;
  const { transport } = documents;
  documents.transport = {
    ...transport,
    async send(request, signal) {
      const response = await transport.send(request, signal);
      const isWrite = request.headers.some((value) => /^DynamoDB_20120810\..*(?:Put|Update)/.test(value));
      if (!isWrite || left === 0) return response;
      left -= 1;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    },
  };
};
