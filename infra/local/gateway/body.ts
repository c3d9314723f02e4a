import type { IncomingMessage } from 'node:http';

/** The largest payload of an API Gateway REST API: 10 MB. */
const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;

/**
 * Reads a request's body. Returns `undefined` as soon as it exceeds 10 MB, and keeps nothing more.
 *
 * @throws Error if the client closes the connection before the end of the body
 */
export const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > PAYLOAD_BYTES_MAX) return undefined;
  const chunks: Buffer[] = [];
  let bytesRead = 0;
  // A destroyed request resets the connection. A client that still sends would lose its response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length;
    if (bytesRead > PAYLOAD_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytesRead);
};
