import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import { type ApiResponse, errorResponse } from './response.ts';

/** How long a client may take to read its last response before its connection is cut. */
const LAST_RESPONSE_TIMEOUT_MS = 1_000;

const ERROR_BY_CODE: Readonly<Record<string, ApiErrorShape>> = {
  HPE_HEADER_OVERFLOW: API_ERRORS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: API_ERRORS.requestTimeout,
};

/**
 * Responds to bytes that Node's parser rejects and to requests that are too slow. The response has the shape of every
 * other error, and the connection ends.
 */
export const respondMalformed = (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
  baseUrl: string,
): void => {
  const shape = ERROR_BY_CODE[error.code ?? ''] ?? API_ERRORS.malformedRequest;
  if (socket.writable && error.code !== 'ECONNRESET') {
    writeLastResponse(socket, errorResponse(shape, requestId, baseUrl));
  } else {
    socket.destroy();
  }
};

/** Writes to a connection on which Node has no response object, and ends it. */
const writeLastResponse = (socket: Duplex, { status, headers, body }: ApiResponse): void => {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body.toString()}`);
  // An immediate end would reset the connection while the client still sends: the client would lose the response.
  setTimeout(() => socket.destroy(), LAST_RESPONSE_TIMEOUT_MS).unref();
};
