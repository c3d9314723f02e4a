import type { IncomingMessage } from 'node:http';

/** The largest payload of an API Gateway REST API: 10 MB. */
const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;

/** Twice the largest body that any function accepts: the function rejects the kept part like the whole body. */
export const BODY_BYTES_KEPT_MAX = 256 * 1_024;

/** The memory for the unfinished bodies of all clients. */
const KEPT_BYTES_MAX = 64 * 1_024 * 1_024;

const NO_BYTES = Buffer.alloc(0);

/** Reads a request's body, or returns why it cannot. */
export type BodyReader = (
  request: IncomingMessage,
) => Promise<Buffer | 'payloadTooLarge' | 'serviceUnavailable'>;

/** The first bytes of a body, in one buffer: a client may send each byte as a chunk, and a chunk costs 100 bytes. */
const keepFirstBytes = () => {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    /** Returns by how many bytes the buffer grew. */
    add: (chunk: Buffer): number => {
      const before = buffer.length;
      const needed = Math.min(length + chunk.length, BODY_BYTES_KEPT_MAX);
      if (needed > before) {
        buffer = Buffer.concat([buffer], Math.max(needed, Math.min(2 * before, BODY_BYTES_KEPT_MAX)));
      }
      length += chunk.copy(buffer, length, 0, needed - length);
      return buffer.length - before;
    },
    bytes: (): Buffer => buffer.subarray(0, length),
  };
};

/**
 * Makes the reader of all requests of a gateway. It keeps the first 256 KB of a body. It stops if a body exceeds 10 MB,
 * or if the unfinished bodies of all clients use up their memory.
 *
 * The reader throws an Error if the client closes the connection before the end of the body.
 */
export const createBodyReader = (keptBytesMax = KEPT_BYTES_MAX): BodyReader => {
  let keptBytesOfAll = 0;

  return async (request) => {
    const { 'content-length': contentLength, 'transfer-encoding': transferEncoding } = request.headers;
    // Such a request has no body (RFC 9112, 6.3).
    if (contentLength === undefined && transferEncoding === undefined) return NO_BYTES;
    if (Number(contentLength ?? 0) > PAYLOAD_BYTES_MAX) return 'payloadTooLarge';
    const body = keepFirstBytes();
    let keptBytes = 0;
    let bytesRead = 0;
    try {
      // Destroying the request would reset the connection. A client that still sends would lose its response.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytesRead += chunk.length;
        if (bytesRead > PAYLOAD_BYTES_MAX) return 'payloadTooLarge';
        const grownBytes = body.add(chunk);
        keptBytes += grownBytes;
        keptBytesOfAll += grownBytes;
        if (keptBytesOfAll > keptBytesMax) return 'serviceUnavailable';
      }
      return body.bytes();
    } finally {
      keptBytesOfAll -= keptBytes;
    }
  };
};
