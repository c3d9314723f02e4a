import { isUtf8 } from 'node:buffer';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { BODY_BYTES_MAX } from '../../../lib/http/body/json-body.ts';
import type { InvalidField } from '../../../lib/requests/invalid-field.ts';
import { headerFields } from '../gateway/gateway-event.ts';
import type { ServedRequest } from '../gateway/gateway.ts';
import { type Sender, senderOf } from './sender.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/** The beginning of a body, as text. */
export interface KeptBody {
  readonly text: string;
  /** The size of the whole body. */
  readonly bytes: number;
  readonly isWhole: boolean;
  /** Whether the whole body is UTF-8, and what is kept has no control character besides tabs and line breaks. */
  readonly isText: boolean;
}

/** A request with its response. Nothing is hidden: who reads it has sent it, on the same machine. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the response. */
  readonly id: string;
  readonly timeMs: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Headers;
  /** Absent if the stage responded without reading it. */
  readonly body: KeptBody | undefined;
  readonly status: number;
  readonly responseHeaders: Headers;
  readonly responseBody: KeptBody;
  /** The code of an error response. */
  readonly code?: string | undefined;
  /** The reason of an error response in one line: its first detail, else its message. */
  readonly reason?: string | undefined;
  readonly cartId?: string | undefined;
  readonly sender: Sender;
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

/** With {@link BYTES_MAX}, at most about 12 MB of memory. */
export const LOGGED_REQUESTS_MAX = 500;

/** The headers and bodies of all requests together. */
export const BYTES_MAX = 10 * 1_024 * 1_024;

const CART_IDS_MAX = 10_000;

/** In a command that is pasted, an escape sequence can end the paste: the terminal would run what follows. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Keeps as much of a body as the API accepts. */
const kept = (body: string | Buffer): KeptBody => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const { length } = bytes;
  const text = bytes.subarray(0, BODY_BYTES_MAX).toString();
  return {
    text,
    bytes: length,
    isWhole: length <= BODY_BYTES_MAX,
    isText: isUtf8(bytes) && !CONTROL.test(text),
  };
};

/** The part of a response that the log shows: the code and the reason of an error, and the id of a created cart. */
interface Facts {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly InvalidField[];
  readonly cart?: { readonly id?: string };
}

const factsOf = ({ status, body }: ServedRequest['response']): Facts =>
  status < 400 && status !== 201 ? {} : ((parseJson(body.toString()) as Facts | null | undefined) ?? {});

const reasonOf = ({ details, message }: Facts): string | undefined => {
  const [first] = details ?? [];
  if (!first) return message;
  return first.path === '' ? first.message : `${first.path}: ${first.message}`;
};

const toLogged = (served: ServedRequest): LoggedRequest => {
  const { match, response } = served;
  const facts = factsOf(response);
  return {
    id: served.requestId,
    timeMs: served.receivedAtMs,
    method: served.method,
    target: served.target,
    headers: headerFields(served.rawHeaders),
    body: served.body && kept(served.body),
    status: response.status,
    responseHeaders: response.headers,
    responseBody: kept(response.body),
    code: facts.code,
    reason: reasonOf(facts),
    cartId: facts.cart?.id ?? parseCartId(match?.pathParameters.get('cartId')),
    sender: senderOf(served),
    durationMs: Math.round(served.durationMs),
  };
};

/** About the bytes of a request in memory. */
const sizeOf = ({ target, headers, responseHeaders, body, responseBody }: LoggedRequest): number =>
  [target, ...headers.flat(), ...responseHeaders.flat(), body?.text ?? '', responseBody.text].reduce(
    (sum, { length }) => sum + length,
    0,
  );

/**
 * Creates an empty log. It keeps the latest requests: at most {@link LOGGED_REQUESTS_MAX}, and at most {@link BYTES_MAX} of
 * headers and bodies.
 */
export const createRequestLog = (): RequestLog => {
  let requests: readonly LoggedRequest[] = [];
  let bytes = 0;
  const cartIds = new Set<string>();
  return {
    add(served) {
      const request = toLogged(served);
      requests = [request, ...requests];
      bytes += sizeOf(request);
      while (requests.length > LOGGED_REQUESTS_MAX || bytes > BYTES_MAX) {
        bytes -= sizeOf(requests.at(-1) ?? request);
        requests = requests.slice(0, -1);
      }
      const { status, cartId } = request;
      if (status === 201 && cartId !== undefined) {
        cartIds.add(cartId);
        const [oldest = ''] = cartIds;
        if (cartIds.size > CART_IDS_MAX) cartIds.delete(oldest);
      }
      return request;
    },
    list: () => requests,
    cartIds: () => [...cartIds].toReversed(),
  };
};
