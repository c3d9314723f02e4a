import { ROUTES } from '../../../functions/operations.ts';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import type { ServedRequest } from './gateway.ts';

/** A request as a developer may see it: without its key, query, headers and body. */
export interface LoggedRequest {
  readonly timeMs: number;
  readonly method: string;
  /** A cart's id in it is `{cartId}`, and an unknown segment `…`. */
  readonly path: string;
  readonly status: number;
  /** The code of an error response. */
  readonly code?: string | undefined;
  readonly cartId?: string | undefined;
  /** Whether a page of the stage sent it: the sandbox or the dashboard. */
  readonly isFromPage: boolean;
  readonly durationMs: number;
}

/** The latest requests of this process. */
export interface RequestLog {
  add(served: ServedRequest): LoggedRequest;

  /** Newest first. */
  list(): readonly LoggedRequest[];

  /** The ids of the latest carts that this process created, newest first. They stay when other requests fill the log. */
  cartIds(): readonly string[];
}

/** About 20 KB. */
export const LOGGED_REQUESTS_MAX = 100;

const CART_IDS_MAX = 10;

/** The words of all paths, and what a program sends in place of an id that it does not have. */
const KNOWN_SEGMENTS: ReadonlySet<string> = new Set([
  ...ROUTES.flatMap(({ path }) => path.split('/').filter((segment) => !segment.startsWith('{'))),
  'undefined',
  'null',
]);

const SEGMENTS_MAX = 8;

const readableSegment = (segment: string): string => {
  if (KNOWN_SEGMENTS.has(segment)) return segment;
  return parseCartId(segment) === undefined ? '…' : '{cartId}';
};

/** A path without unknown segments, which may hold a key or personal data. */
const readablePath = (path: string): string => {
  const segments = path.split('/').slice(1);
  const rest = segments.length > SEGMENTS_MAX ? '/…' : '';
  return `/${segments.slice(0, SEGMENTS_MAX).map(readableSegment).join('/')}${rest}`;
};

/** The code of an error, and the id of a created cart. */
const factsOf = ({ status, body }: ServedRequest['response']): { code?: string; cart?: { id?: string } } =>
  status < 400 && status !== 201 ? {} : (parseJson(body.toString()) ?? {});

const METHOD = /^[A-Z]{1,10}$/;

/** Creates an empty log. It keeps the {@link LOGGED_REQUESTS_MAX} latest requests. */
export const createRequestLog = (): RequestLog => {
  let requests: readonly LoggedRequest[] = [];
  let cartIds: readonly string[] = [];
  return {
    add(served) {
      const { match, response, method, path } = served;
      const { code, cart } = factsOf(response);
      const cartId = cart?.id ?? parseCartId(match?.pathParameters.get('cartId'));
      const request: LoggedRequest = {
        timeMs: served.receivedAtMs,
        method: METHOD.test(method) ? method : '…',
        path: readablePath(path),
        status: response.status,
        code,
        cartId,
        isFromPage: served.isFromDashboard || match?.route.caller === 'buyer',
        durationMs: Math.round(served.durationMs),
      };
      requests = [request, ...requests.slice(0, LOGGED_REQUESTS_MAX - 1)];
      if (response.status === 201 && cartId !== undefined) {
        cartIds = [...new Set([cartId, ...cartIds])].slice(0, CART_IDS_MAX);
      }
      return request;
    },
    list: () => requests,
    cartIds: () => cartIds,
  };
};
