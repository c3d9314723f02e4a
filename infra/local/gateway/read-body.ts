import type { IncomingMessage } from 'node:http';

/** The largest payload of an API Gateway REST API: 10 MB. */
const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;

/**
 * Reads the body of a request.
 *
 * @returns `undefined` if the body is larger than API Gateway accepts
 * @throws Error if the client closes the connection before the end of the body
 */
export const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const { 'content-length': contentLength, 'transfer-encoding': transferEncoding } = request.headers;
  // Such a request has no body (RFC 9112, 6.3).
  if (contentLength === undefined && transferEncoding === undefined) return Buffer.alloc(0);
  if (Number(contentLength ?? 0) > PAYLOAD_BYTES_MAX) return undefined;
  const chunks: Buffer[] = [];
  let bytesRead = 0;
  // Destroying the request would reset the connection. A client that still sends would lose its response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytesRead += chunk.length;
    if (bytesRead > PAYLOAD_BYTES_MAX) return undefined;
  }
  return Buffer.concat(chunks);
};
