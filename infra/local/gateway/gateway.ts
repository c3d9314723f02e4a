import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../../lib/clock.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../functions/operations.ts';
import { errorResponse, writeResponse, type ApiResponse } from './response.ts';
import { announcesTooMuch, discardRest, readBody } from './body.ts';
import { Connections } from './connections.ts';
import { splitTarget, toGatewayEvent } from './event.ts';
import { respondByFunction, type FailureReport } from './integration.ts';
import { listen } from './listen.ts';
import { respondMalformed, writeLastResponse } from './malformed.ts';
import { matchRoute, type Route } from './routes.ts';
import { createLambdaContext } from './lambda-context.ts';

// Longer than the idle limit of common clients: who closes first while the other sends shows up as ECONNRESET.
const KEEP_ALIVE_TIMEOUT_MS = 60_000;
// A function's time limit, so that whatever is in flight can still end by itself.
const CLOSE_TIMEOUT_MS = FUNCTION_TIMEOUT_MS;

/** How to run the local gateway. */
export interface GatewayOptions<Name extends string> {
  readonly routes: readonly Route<Name>[];
  readonly handlers: Readonly<Record<Name, ProxyFunction>>;
  /** The gateway's own pages, asked before the routes: what to answer to `GET` on a path, if there is one. */
  readonly pages?: (path: string, baseUrl: string) => ApiResponse | undefined;
  /** The address to bind; 127.0.0.1 by default, out of reach of other machines. */
  readonly host?: string;
  /** The port to bind; 0 takes any free one. */
  readonly port: number;
  readonly now?: Clock;
  readonly newRequestId?: () => string;
  /** How long a function may take, in milliseconds. */
  readonly functionTimeoutMs?: number;
  /** How long requests in flight may take to end once the gateway closes, in milliseconds. */
  readonly closeTimeoutMs?: number;
  /** Learns why a function failed; by default it is written to stderr. */
  readonly reportFailure?: FailureReport;
}

/** A gateway that accepts requests. */
export interface RunningGateway {
  /** The address that it is bound to, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * Stops accepting, closes idle connections at once and the others after their answer, by force after 6 s.
   * Further calls wait for the same end.
   */
  close(): Promise<void>;
}

/**
 * Serves functions over HTTP as an API Gateway REST API with Lambda proxy integration does; what the gateway answers
 * itself has the shape of every other error of the API.
 *
 * @throws Error with one sentence for the operator when the port cannot be bound
 */
export const startGateway = async <Name extends string>(
  options: GatewayOptions<Name>,
): Promise<RunningGateway> => {
  const { host = '127.0.0.1', port, newRequestId = randomUUID, closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
  // Node would answer a missing Host itself, with an empty body.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS });
  const connections = new Connections(server);
  const boundPort = await listen(server, host, port);
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
  const respondToRequest = createAnswerer({ ...options, baseUrl, domainName: host, port: boundPort });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    connections.begin(response);
    const answer = await respondToRequest(request, newRequestId());
    // Malformed bytes that came with the head are answered at once, before this.
    if (answer === undefined || response.headersSent) return;
    writeResponse(response, answer, !server.listening);
    discardRest(request);
  };
  onEveryRequest(server, (request, response) => {
    // One request's failure, whatever it is, must not end the process.
    serve(request, response).catch(() => request.socket.destroy());
  });
  server.on('connect', (_request, socket) => {
    const refuse = (): void => {
      writeLastResponse(socket, errorResponse(API_ERRORS.routeNotFound, newRequestId()));
    };
    const running = connections.running(socket);
    if (running === undefined) refuse();
    else running.once('close', refuse);
  });
  server.on('clientError', (error, socket) => {
    respondMalformed(error, socket, connections, newRequestId());
  });

  let closed: Promise<void> | undefined;
  return {
    baseUrl,
    close: () => (closed ??= closeServer(server, connections, closeTimeoutMs)),
  };
};

const onEveryRequest = (
  server: Server,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): void => {
  server.on('request', serve);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request, response) => {
    // A client that asks first is spared sending a body that would be refused (RFC 9110, 10.1.1); Node then closes
    // the connection after the answer, because what comes next could be that body or another request.
    if (!announcesTooMuch(request)) response.writeContinue();
    serve(request, response);
  });
};

interface AnswererOptions<Name extends string> extends GatewayOptions<Name> {
  readonly baseUrl: string;
  readonly domainName: string;
}

type Answerer = (request: IncomingMessage, requestId: string) => Promise<ApiResponse | undefined>;

/** A function that answers one request; undefined where there is nobody left to answer. It never rejects. */
const createAnswerer = <Name extends string>(options: AnswererOptions<Name>): Answerer => {
  const {
    routes,
    handlers,
    pages,
    baseUrl,
    domainName,
    port,
    now = Date.now,
    newRequestId = randomUUID,
  } = options;
  const { functionTimeoutMs: timeoutMs = FUNCTION_TIMEOUT_MS, reportFailure = writeFailure } = options;

  return async (request, requestId) => {
    const receivedAtMs = now();
    const { method = '', url: target = '', rawHeaders, httpVersion, headers, socket } = request;
    if (headers.host === undefined && httpVersion === '1.1') {
      return errorResponse(API_ERRORS.malformedRequest, requestId);
    }
    const { path } = splitTarget(target);
    const page = method === 'GET' ? pages?.(path, baseUrl) : undefined;
    if (page) return page;
    const match = matchRoute(routes, method, path);
    if (match.kind === 'notFound') return errorResponse(API_ERRORS.routeNotFound, requestId);

    const body = await readBody(request);
    if (body.kind === 'aborted') return undefined;
    if (body.kind === 'tooLarge') return errorResponse(API_ERRORS.payloadTooLarge, requestId);

    const { functionName, path: resource } = match.route;
    const sourceIp = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const event = toGatewayEvent(
      { method, target, rawHeaders, httpVersion, sourceIp, body: body.bytes },
      { resource, pathParameters: match.pathParameters, requestId, receivedAtMs, domainName, port },
    );
    const context = createLambdaContext({ functionName, awsRequestId: newRequestId(), timeoutMs, now });
    return respondByFunction({ handler: handlers[functionName], timeoutMs, reportFailure }, event, context);
  };
};

const closeServer = async (server: Server, connections: Connections, timeoutMs: number): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  connections.closeWhenIdle();
  const timer = setTimeout(() => connections.destroyAll(), timeoutMs);
  await closed;
  clearTimeout(timer);
};

const writeFailure = ({ functionName, requestId, reason }: Parameters<FailureReport>[0]): void => {
  const account = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
  process.stderr.write(`${functionName} failed on request ${requestId}: ${account}\n`);
};
