import type { IncomingMessage } from 'node:http';

/** API Gateway REST API: the payload of a request is at most 10 MB. */
export const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;

// Long enough for a client that reads only once it has sent everything, at the largest payload.
const DISCARD_TIMEOUT_MS = 6_000;

/** A request's body, or why there is none to pass on. */
export type Body =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'tooLarge' }
  /** The client went away before it had sent all of it. */
  | { readonly kind: 'aborted' };

/** Whether the request announces a body over {@link PAYLOAD_BYTES_MAX}. */
export const announcesTooMuch = (request: IncomingMessage): boolean =>
  Number(request.headers['content-length'] ?? 0) > PAYLOAD_BYTES_MAX;

/** Reads the body, and stops keeping it as soon as it is known to be over {@link PAYLOAD_BYTES_MAX}. */
export const readBody = (request: IncomingMessage): Promise<Body> => {
  if (announcesTooMuch(request)) return Promise.resolve({ kind: 'tooLarge' });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytesRead = 0;
    const finish = (body: Body): void => {
      request.off('data', keep).off('end', complete).off('close', abort);
      resolve(body);
    };
    const keep = (chunk: Buffer): void => {
      bytesRead += chunk.length;
      if (bytesRead > PAYLOAD_BYTES_MAX) finish({ kind: 'tooLarge' });
      else chunks.push(chunk);
    };
    const complete = (): void => finish({ kind: 'complete', bytes: Buffer.concat(chunks, bytesRead) });
    const abort = (): void => finish({ kind: 'aborted' });
    request.on('data', keep).once('end', complete).once('close', abort);
  });
};

/**
 * Reads on and forgets what a client still sends after it has its answer. To close at once would reset the
 * connection, and a client that is still sending would lose the answer; a client that never ends is cut off.
 */
export const discardRest = (request: IncomingMessage): void => {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_TIMEOUT_MS);
  request.once('close', () => clearTimeout(timer));
  request.resume();
};
