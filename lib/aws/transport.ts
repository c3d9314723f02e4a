import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface TransportRequest {
  readonly endpoint: URL;
  readonly method: 'GET' | 'POST';
  /** Names and values in turn, as `node:http` sends them. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface TransportResponse {
  readonly statusCode: number;
  /** Their names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Why the body has no end, such as a lost connection. */
  readonly cut?: Error;
}

/** Sends the requests of a client. */
export interface Transport {
  /**
   * Sends a request once.
   *
   * @throws AbortError if the signal aborts, TimeoutError after the time limit and for a lost connection, or the error
   *   of `node:http`
   */
  send(request: TransportRequest, signal?: AbortSignal): Promise<TransportResponse>;
  /** Closes the idle connections. Later requests open new ones. */
  close(): void;
}

/** The error of a call that a signal ended. As the SDK's, it has neither the signal's reason nor metadata. */
export const abortError = (): Error => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

const timeoutError = (timeoutMs: number): Error =>
  Object.assign(new Error(`The service did not respond within ${timeoutMs} ms`), {
    name: 'TimeoutError',
    code: 'ETIMEDOUT',
  });

/** The error of a connection that ended before its response, as `node:http` states it. */
const hangUp = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const LOST_CONNECTIONS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Names the error of a lost connection as the SDK does. */
const named = (error: NodeJS.ErrnoException): Error => {
  if (LOST_CONNECTIONS.has(error.code ?? '')) error.name = 'TimeoutError';
  return error;
};

/** The connections of a client to one host, as many as the SDK opens. */
const CONNECTIONS = { keepAlive: true, maxSockets: 50 } as const;

/** Reads a response to its end. */
const read = (response: IncomingMessage, settle: (response: TransportResponse) => void): void => {
  const { statusCode = 0, headers } = response;
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', (cut) => settle({ statusCode, headers, body: '', cut }));
  response.on('end', () => {
    const [first] = chunks;
    const body = chunks.length === 1 && first ? first : Buffer.concat(chunks);
    settle({ statusCode, headers, body: body.toString() });
  });
};

/** Sends a request, and ends it after the time limit or when the signal aborts. */
const exchange = (
  sent: ClientRequest,
  body: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<TransportResponse> =>
  new Promise((settle, reject) => {
    const end = (error: Error): void => {
      reject(error);
      sent.destroy();
    };
    const abort = (): void => end(abortError());
    const timer = setTimeout(() => end(timeoutError(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', abort);
    sent.on('error', (error) => reject(named(error)));
    let isResponding = false;
    sent.on('response', (response) => {
      isResponding = true;
      read(response, settle);
    });
    sent.on('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // Node gives neither an error nor a response after a change of the protocol (101).
      if (!isResponding) reject(named(hangUp()));
    });
    sent.end(body);
  });

/**
 * Sends requests by HTTP/1.1 over connections that stay open.
 *
 * @param timeoutMs the time limit of a request. It covers the wait for a free connection, the connection and the response
 */
export const createTransport = (timeoutMs: number): Transport => {
  const http = { request: httpRequest, agent: new HttpAgent(CONNECTIONS) };
  const https = { request: httpsRequest, agent: new HttpsAgent(CONNECTIONS) };

  return {
    async send({ endpoint, method, headers, body }, signal) {
      if (signal?.aborted) throw abortError();
      const { request, agent } = endpoint.protocol === 'https:' ? https : http;
      const { hostname, port, pathname: path } = endpoint;
      // Node takes an IPv6 address without its brackets.
      const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
      const sent = request({ host, port, path, method, agent, headers });
      return exchange(sent, body, timeoutMs, signal);
    },
    close() {
      http.agent.destroy();
      https.agent.destroy();
    },
  };
};
