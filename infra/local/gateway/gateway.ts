import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { FUNCTION_TIMEOUT_MS } from '../../stage/function-limits.ts';
import { sayLines } from '../../terminal/terminal.ts';
import { isForeignRequest, isAllowedHost } from './foreign-requests.ts';
import { splitTarget, toGatewayEvent } from './gateway-event.ts';
import { invoke } from './invocation.ts';
import { listen } from './listen.ts';
import { respondMalformed } from './malformed-requests.ts';
import { readBody } from './read-body.ts';
import { type ApiResponse, errorResponse, functionResponse, writeResponse } from './response.ts';
import { createRouter, type Route, type RouteMatch } from './router.ts';

const HOST = '127.0.0.1';

/** Longer than the idle timeout of common clients. A client could otherwise send while the gateway closes. */
const KEEP_ALIVE_TIMEOUT_MS = 60_000;

/**
 * With a resource policy, API Gateway responds 414 if the ARN of the method, with the path, exceeds 1,600 bytes. The part before
 * the path stays below 200.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const PATH_BYTES_MAX = 1_400;

/** Functions by their names. */
export type Handlers = Readonly<Record<string, ProxyFunction>>;

/**
 * A page of the gateway, or the function that renders it for each request.
 *
 * @param fields the query of its address, or the form of a `POST`
 */
export type Page =
  | ApiResponse
  | ((fields: URLSearchParams, headers: IncomingHttpHeaders) => Promise<ApiResponse>);

/** A request that got its response. Requests for pages are excluded. */
export interface ServedRequest {
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  readonly receivedAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as the client sent them, still percent-encoded. */
  readonly target: string;
  /** Names and values in turn, as the client sent them. */
  readonly rawHeaders: readonly string[];
  /** Absent if the gateway responded without reading it. */
  readonly body: Buffer | undefined;
  /** Absent if the request has no route. */
  readonly match: RouteMatch | undefined;
  readonly response: ApiResponse;
}

export interface GatewayOptions {
  readonly routes: readonly Route[];
  /** The functions of the routes, by name. A request waits for them. This wait is no part of its invocation. */
  readonly handlers: Handlers | Promise<Handlers>;
  /** Creates the function that finds the page of a path, for `GET` and `HEAD`. Pages take precedence over routes. */
  readonly pages?: (baseUrl: string) => (path: string) => Page | undefined;
  /** The same for `POST`: the receivers of these pages' forms. */
  readonly forms?: (baseUrl: string) => (path: string) => Page | undefined;
  /** Renders the page for a browser that asks for an unknown path outside the API. By default, it gets the error as JSON. */
  readonly unknownPage?: (path: string) => ApiResponse;
  /** 0 takes any free port. */
  readonly port: number;
  readonly functionTimeoutMs?: number;
  /** Whether requests may name this machine as containers do: see {@link isAllowedHost}. Default: `false` */
  readonly containers?: boolean;
  /** How long a client may take to send a request, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** How long requests in flight may take after the gateway starts to close, in milliseconds. */
  readonly closeTimeoutMs?: number;
  /** Receives each failure of a function, with the `X-Request-Id` of its request. Default: written to stderr */
  readonly reportFailure?: (functionName: string, requestId: string, reason: unknown) => void;
  /** Receives each request that got its response, except those for pages. */
  readonly onServed?: (served: ServedRequest) => void;
}

export interface RunningGateway {
  /** Its address, without a slash at the end. */
  readonly baseUrl: string;
  /** Closes idle connections at once, and the others after their response, or after 6 s. */
  close(): Promise<void>;
}

/**
 * Serves functions over HTTP as an API Gateway REST API with Lambda proxy integration does. The gateway's own errors
 * have the shape of every other error of the API. It listens on 127.0.0.1, out of reach of other machines. It rejects
 * requests from the pages of other sites.
 *
 * @throws OperatorError if the port cannot be bound
 */
export const startGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const { requestTimeoutMs = 60_000, closeTimeoutMs = FUNCTION_TIMEOUT_MS } = options;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 4,
    // Node's own response to a missing Host has no body.
    requireHostHeader: false,
  });
  const port = await listen(server, HOST, options.port);
  const baseUrl = `http://${HOST}:${port}`;
  const respond = createResponder(options, baseUrl);
  const open = new Set<ServerResponse>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    open.add(response);
    response.once('close', () => open.delete(response));
    const result = await respond(request);
    // The connection has ended after malformed bytes.
    if (!socket.writable) return;
    writeResponse(response, result, !server.listening);
    // Some clients read the response only after they have sent the whole body.
    request.resume();
  };
  server.on('request', (request, response) => {
    // A failure such as an aborted body ends its own connection, never the process.
    serve(request, response).catch(() => request.socket.destroy());
  });
  const reject = (error: Error, socket: Duplex): void => {
    respondMalformed(error, socket, randomUUID(), baseUrl);
  };
  server.on('clientError', reject);
  // Node's own response to an unknown expectation has no body, and it ends a CONNECT without a response.
  server.on('checkExpectation', ({ socket }) => reject(new Error('unknown expectation'), socket));
  server.on('connect', (_, socket) => reject(new Error('CONNECT'), socket));

  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    const responded = Promise.all([...open].map((response) => once(response, 'close')));
    await Promise.race([responded, sleep(closeTimeoutMs, undefined, { ref: false })]);
    // Browsers open connections in advance. Node does not count these as idle.
    server.closeAllConnections();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return { baseUrl, close: () => (closing ??= close()) };
};

/** Whether a route takes the form of a page for buyers. Its function rejects the forms of other sites, with a page. */
const takesForm = ({ route }: RouteMatch): boolean => route.caller === 'buyer' && route.method === 'POST';

/** The paths of operations for programs. All others are for browsers. */
const API_PATH = /^\/(?:api|internal)(?:\/|$)/;

/** Whether a browser asks for a page. */
const isNavigation = (path: string, { accept = '' }: IncomingHttpHeaders): boolean =>
  !API_PATH.test(path) && accept.includes('text/html');

/** Makes the function that finds the page of a request. */
const createPageFinder = ({ pages, forms, unknownPage }: GatewayOptions, baseUrl: string) => {
  const pageAt = pages?.(baseUrl);
  const formAt = forms?.(baseUrl);
  return (
    path: string,
    { method, headers }: IncomingMessage,
    match: RouteMatch | undefined,
  ): Page | undefined => {
    if (method === 'POST') return formAt?.(path);
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    return pageAt?.(path) ?? (match || !isNavigation(path, headers) ? undefined : unknownPage?.(path));
  };
};

/** The part of the gateway that responds to a request. */
type Target =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'route'; readonly match: RouteMatch }
  | { readonly kind: 'none' };

const targetOf = (page: Page | undefined, match: RouteMatch | undefined): Target => {
  if (page) return { kind: 'page', page };
  return match ? { kind: 'route', match } : { kind: 'none' };
};

/** The response to a request, or the gateway's own error. */
type Result = ApiResponse | ApiErrorKind;

/** The error of a request that its target must not get. */
const rejectionOf = (
  request: IncomingMessage,
  path: string,
  target: Target,
  containers: boolean | undefined,
): ApiErrorKind | undefined => {
  const { host } = request.headers;
  if (host === undefined) return 'malformedRequest';
  if (!isAllowedHost(host, containers)) return 'forbidden';
  if (path.length > PATH_BYTES_MAX) return 'pathTooLong';
  const isForeign = isForeignRequest(request) && !(target.kind === 'route' && takesForm(target.match));
  return isForeign && target.kind !== 'none' ? 'forbidden' : undefined;
};

/** The response of a page. Its promise rejects if the client aborts the form. */
const renderPage = async (
  page: Page,
  request: IncomingMessage,
  query: string,
  onFailure: (reason: unknown) => ApiErrorKind,
): Promise<Result> => {
  if (typeof page !== 'function') return page;
  const fields = request.method === 'POST' ? await readBody(request) : query;
  if (fields === undefined) return 'payloadTooLarge';
  return page(new URLSearchParams(String(fields)), request.headers).catch(onFailure);
};

/** Makes the function that responds to a request. Its promise rejects if the client aborts the body. */
const createResponder = (options: GatewayOptions, baseUrl: string) => {
  const { onServed = () => undefined, reportFailure = writeFailure, containers } = options;
  const findRoute = createRouter(options.routes);
  const findPage = createPageFinder(options, baseUrl);

  return async (request: IncomingMessage): Promise<ApiResponse> => {
    const startedAtMs = performance.now();
    const received = { requestId: randomUUID(), receivedAtMs: Date.now() };
    const { method = '', url: target = '', rawHeaders } = request;
    const { path, query } = splitTarget(target);
    // As `GET`, except for operations: on AWS, the API responds to it that the method does not exist.
    const route = findRoute(method === 'HEAD' && !API_PATH.test(path) ? 'GET' : method, path);
    const found = targetOf(findPage(path, request, route), route);
    const match = found.kind === 'route' ? found.match : undefined;
    const failed = (name: string, kind: ApiErrorKind) => (reason: unknown) => {
      reportFailure(name, received.requestId, reason);
      return kind;
    };
    const respond = async (): Promise<Pick<ServedRequest, 'body'> & { readonly result: Result }> => {
      const rejection = rejectionOf(request, path, found, containers);
      if (rejection) return { result: rejection, body: undefined };
      switch (found.kind) {
        case 'none':
          return { result: 'routeNotFound', body: undefined };
        case 'page': {
          const onFailure = failed('page', 'internal');
          return { result: await renderPage(found.page, request, query, onFailure), body: undefined };
        }
        case 'route': {
          const body = await readBody(request);
          if (!body) return { result: 'payloadTooLarge', body };
          // API Gateway sends it after a crash, a timeout, a lack of memory and an unusable result.
          // https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html#services-apigateway-errors
          const failedToRun = failed(found.match.route.functionName, 'functionFailed');
          const invoked = invokeRoute(options, request, found.match, { ...received, body });
          return { result: await invoked.catch(failedToRun), body };
        }
      }
    };
    const { result, body } = await respond();
    const response =
      typeof result === 'string' ? errorResponse(API_ERRORS[result], received.requestId, baseUrl) : result;
    if (found.kind === 'page') return response;
    const durationMs = performance.now() - startedAtMs;
    onServed({ ...received, method, target, rawHeaders, durationMs, body, match, response });
    return response;
  };
};

const invokeRoute = async (
  { handlers, functionTimeoutMs: timeoutMs = FUNCTION_TIMEOUT_MS }: GatewayOptions,
  { url: target = '', rawHeaders, socket }: IncomingMessage,
  { route, pathParameters }: RouteMatch,
  { body, ...received }: Pick<ServedRequest, 'requestId' | 'receivedAtMs'> & { readonly body: Buffer },
): Promise<ApiResponse> => {
  const { functionName, method, path: resource } = route;
  const event = toGatewayEvent(
    { method, target, rawHeaders, sourceIp: socket.remoteAddress ?? '', body },
    { resource, pathParameters, ...received },
  );
  const handler = (await handlers)[functionName];
  if (!handler) throw new Error(`There is no function ${functionName}`);
  return functionResponse(await invoke(handler, event, { functionName, timeoutMs }));
};

const writeFailure = (functionName: string, requestId: string, reason: unknown): void => {
  const account = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
  // The error may quote the request.
  sayLines(process.stderr, `${functionName} failed on request ${requestId}: ${account}`.split('\n'));
};
