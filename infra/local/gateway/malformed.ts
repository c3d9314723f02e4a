import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import { errorResponse, writeResponse, type ApiResponse } from './response.ts';
import type { Connections } from './connections.ts';

// How long a client may take to read its last answer before the connection is cut.
const LAST_ANSWER_TIMEOUT_MS = 1_000;

const ERROR_BY_PARSER_CODE: ReadonlyMap<string | undefined, ApiErrorShape> = new Map<
  string | undefined,
  ApiErrorShape
>([
  ['HPE_HEADER_OVERFLOW', API_ERRORS.headersTooLarge],
  ['ERR_HTTP_REQUEST_TIMEOUT', API_ERRORS.requestTimeout],
]);

/**
 * ApiResponses what Node's parser refuses, in the shape of every other error, and ends the connection.
 *
 * Bytes that follow a sound request on the same connection are answered after that request, never in its place.
 */
export const respondMalformed = (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: Connections,
  requestId: string,
): void => {
  const answer = errorResponse(
    ERROR_BY_PARSER_CODE.get(error.code) ?? API_ERRORS.malformedRequest,
    requestId,
  );
  const running = connections.running(socket);
  if (error.code === 'ECONNRESET') {
    socket.destroy();
  } else if (running === undefined) {
    writeLastResponse(socket, answer);
  } else if (running.req.complete) {
    running.once('close', () => writeLastResponse(socket, answer));
  } else if (running.headersSent) {
    endConnection(socket);
  } else {
    writeResponse(running, answer, true);
  }
};

/** Writes an answer where Node has no response to write it to, and ends the connection. */
export const writeLastResponse = (socket: Duplex, answer: ApiResponse): void => {
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...answer.headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${answer.body.length}`,
    'Connection: close',
  ];
  endConnection(socket, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), answer.body]));
};

const endConnection = (socket: Duplex, lastBytes?: Buffer): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // Node lets go of the sockets of CONNECT; without a listener a reset would end the whole process.
  socket.on('error', () => socket.destroy());
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), LAST_ANSWER_TIMEOUT_MS);
  socket.once('close', () => clearTimeout(timer));
};
