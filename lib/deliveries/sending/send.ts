import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isTlsFailure } from '../../core/tls-errors.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import { allowedAddressesOf } from '../../endpoints/address/allowed-addresses.ts';
import { type EndpointUrlOptions, parseEndpointUrl } from '../../endpoints/address/endpoint-url.ts';
import { hostOf } from '../../endpoints/address/host.ts';
import { resolveHost, type ResolveHost } from '../../endpoints/address/resolve-host.ts';
import type { AttemptError, AttemptResult } from '../records/attempt.ts';
import { textOf } from './response-text.ts';
import { ATTEMPT_MS_MAX } from './schedule.ts';

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request once. Never throws. */
export type Send = (request: WebhookRequest) => Promise<AttemptResult>;

export interface SenderOptions extends Pick<EndpointUrlOptions, 'allowsLoopback'> {
  readonly resolve?: ResolveHost;
  /** Default: `ATTEMPT_MS_MAX` */
  readonly timeoutMs?: number;
  /** Opens the https connections. Default: a new agent for each request */
  readonly agent?: https.Agent;
}

/**
 * The most bytes before the kept part of a body. Node.js bounds the headers of one response to 16 KB, but neither the number of
 * informational responses nor the bytes between the parts of HTTP.
 */
const OVERHEAD_BYTES_MAX = 65_536;

/** The most addresses to try. The time limit leaves none for more. */
const ADDRESSES_MAX = 4;

/** An attempt that failed for this reason. */
class FailedAttempt extends Error {
  readonly error: AttemptError;

  constructor(error: AttemptError) {
    super(error);
    this.error = error;
  }
}

/** Returns the addresses to connect to. Fails if any address of the host is not allowed. */
const checkedAddresses = async (url: URL, resolve: ResolveHost): Promise<readonly string[]> => {
  const addresses = await allowedAddressesOf(url, resolve).catch(() => {
    throw new FailedAttempt('hostNotFound');
  });
  if (!addresses) throw new FailedAttempt('privateAddress');
  return addresses.slice(0, ADDRESSES_MAX);
};

/** Resolves every name to these addresses: the DNS could respond differently the second time. */
const pinnedTo = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, found);
};

const optionsOf = (
  url: URL,
  addresses: readonly string[],
  headers: WebhookRequest['headers'],
  signal: AbortSignal,
) => ({
  hostname: hostOf(url),
  port: url.port === '' ? undefined : url.port,
  path: url.pathname + url.search,
  method: 'POST',
  headers,
  signal,
  // A connection of its own, without the environment's proxy. Nothing of another endpoint can reach this one.
  agent: false as const,
  lookup: pinnedTo(addresses),
  // Without this, Node.js rejects the list of addresses that the lookup returns. Each but the last gets two seconds to connect.
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: 2_000,
});

/** Sends a request with its body. Resolves with the head of the response. */
const responseTo = (request: http.ClientRequest, body: string): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    // A connection can fail again after the response.
    request.on('error', reject);
    // A 101 response, which no request asks for. Without a listener, the request would wait for another response.
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new FailedAttempt('invalidResponse'));
    });
    request.end(body);
  });

/** Fails after too many bytes. A part of a body that has arrived by then is read first. */
const failOnFlood = (request: http.ClientRequest): Promise<never> =>
  new Promise((_, reject) => {
    request.once('socket', (socket) => {
      let bytes = 0;
      socket.on('data', ({ length }: Buffer) => {
        bytes += length;
        if (bytes > OVERHEAD_BYTES_MAX) setImmediate(reject, new FailedAttempt('invalidResponse'));
      });
    });
  });

const exchange = async (
  url: URL,
  addresses: readonly string[],
  { headers, body }: WebhookRequest,
  signal: AbortSignal,
  agent: https.Agent | undefined,
): Promise<Pick<AttemptResult, 'status' | 'response'>> => {
  const options = optionsOf(url, addresses, headers, signal);
  const sent =
    url.protocol === 'http:'
      ? http.request(options)
      : // NODE_TLS_REJECT_UNAUTHORIZED cannot turn this off.
        https.request({
          ...options,
          rejectUnauthorized: true,
          ...(agent && { agent }),
        });
  const read = async () => {
    const response = await responseTo(sent, body);
    const text = await textOf(response);
    return { status: response.statusCode, ...(text !== '' && { response: text }) };
  };
  try {
    return await Promise.race([read(), failOnFlood(sent)]);
  } finally {
    // A receiver that responds without reading the request would keep its connection open.
    sent.destroy();
  }
};

const CONNECTION_CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

const errorOf = (error: unknown): AttemptError => {
  if (error instanceof FailedAttempt) return error.error;
  const code = String((error as { readonly code?: unknown }).code);
  if (CONNECTION_CLOSED.has(code)) return 'connectionClosed';
  if (code.startsWith('HPE_')) return 'invalidResponse';
  return isTlsFailure(error) ? 'tlsFailed' : 'connectionFailed';
};

/**
 * Creates the sender of requests to endpoints. It checks the URL and every address of its host at each attempt, connects to
 * one of the checked addresses, and follows no redirect. It never throws.
 */
export const createSender = ({
  resolve = resolveHost,
  timeoutMs = ATTEMPT_MS_MAX,
  allowsLoopback = false,
  agent,
}: SenderOptions = {}): Send => {
  const attempt = async (request: WebhookRequest, signal: AbortSignal) => {
    const parsed = parseEndpointUrl(request.url, { allowsLoopback });
    if (!parsed.ok) throw new FailedAttempt('invalidUrl');
    const url = new URL(parsed.url);
    const addresses = await checkedAddresses(url, resolve);
    // The name server was too slow: nobody waits for the result, and the lease may end.
    signal.throwIfAborted();
    return exchange(url, addresses, request, signal, agent);
  };
  return async (request) => {
    const startMs = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    const ms = (): number => Math.round(performance.now() - startMs);
    try {
      return { ...(await unlessAborted(attempt(request, signal), signal)), ms: ms() };
    } catch (error) {
      return { error: signal.aborted ? 'timeout' : errorOf(error), ms: ms() };
    }
  };
};
