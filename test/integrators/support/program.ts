import type { Action } from '../../../functions/sandbox-checkout/actions.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import type { Mode } from '../../../lib/stores/mode.ts';

/** Parsed JSON, untyped as dynamic languages see it. */
type Json = ReturnType<JSON['parse']>;

/** An HTTP request as a program's HTTP library writes it. */
export interface WireRequest {
  /** Default: `POST`. */
  readonly method?: string;
  /** Default: the path of `createCartCheckout`. */
  readonly target?: string;
  /** Default: `1.1`. */
  readonly httpVersion?: string;
  /**
   * Headers in the program's casing. They add to the usual `Host`, `Authorization`, `Content-Type` and `Content-Length`, or
   * replace them. One with the value `undefined` is not sent.
   */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** An object is sent as JSON. Texts and bytes are sent as they are. */
  readonly body?: object | string | Uint8Array;
  /** Default: `length`, a body with `Content-Length`. */
  readonly framing?: 'length' | 'chunked' | 'expect-continue';
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. `undefined` if there is none. */
  readonly body: Json;
  readonly bodyText: string;
  /** Whether `100 Continue` came first. */
  readonly wasContinued: boolean;
}

/** A merchant's configuration, and the service that it leads to. */
export interface Shop {
  readonly apiKey: string;
  /** The host and port of the service. */
  readonly host: string;
  /** A product with the fixed price of 49.90 EUR. */
  readonly course: string;
  /** A free-pricing product in EUR: at least 1, suggested 5. */
  readonly donation: string;
  /** A product of another store. */
  readonly foreignProduct: string;
  /** Sends a request over a connection of its own. */
  send(request: WireRequest): Promise<WireResponse>;
  /** Retrieves a cart, with the usual headers. */
  retrieve(cartId: string, headers?: WireRequest['headers']): Promise<WireResponse>;
  /** Sends requests one after the other over one connection. */
  sendOnOneConnection(requests: readonly WireRequest[]): Promise<readonly WireResponse[]>;
  /** Takes an action on the sandbox page of a created cart. Returns the address to which the buyer is sent. */
  atCheckout(created: WireResponse, action: Action): Promise<URL>;
  /** Issues another key of the store, with the default limits. */
  newKey(): Promise<string>;
}

/** The messages about invalid fields, by path. */
type Details = Readonly<Record<string, string | RegExp>>;

/** The response that the program gets to its request. */
export interface Outcome {
  readonly status: number;
  /** Absent for success. */
  readonly code?: string;
  /** The invalid fields of a `VALIDATION_ERROR`: all of them, with their messages. */
  readonly details?: Details;
}

/** A program that calls the API. */
export interface Program {
  /** The changes of its {@link order}. Default: none. */
  readonly orders?: Readonly<Record<string, unknown>>;
  /** Its request to create a cart. Default: the order as JSON. */
  readonly creates?: (shop: Shop) => WireRequest;
  /** The response, by mode if they differ. */
  readonly gets: Outcome | Readonly<Record<Mode, Outcome>>;
  /** The code that reads the response. It runs in test mode, where the sandbox takes payments. */
  readonly reads?: (created: WireResponse, shop: Shop) => unknown;
  /** The result of `reads`. */
  readonly sees?: unknown;
}

/** Programs by name. */
export type Programs = Readonly<Record<string, Program>>;

export const CREATED: Outcome = { status: 201 };

/** An error response. */
export const rejected = (kind: ApiErrorKind, details?: Details): Outcome => {
  const { status, code } = API_ERRORS[kind];
  return { status, code, ...(details && { details }) };
};

export const invalid = (details: Details): Outcome => rejected('invalidPayload', details);

/**
 * Test mode rejects names that live mode ignores. Live mode rejects a request without the `missing` fields. Test mode does not
 * report those whose misspelled names are there.
 */
export const invalidInTest = (
  details: Details,
  missing?: Details,
  missingInTest: Details | undefined = missing,
): Program['gets'] => ({
  test: invalid({ ...missingInTest, ...details }),
  live: missing ? invalid(missing) : CREATED,
});

/** The details of missing fields. */
export const required = (...fields: readonly string[]): Details =>
  Object.fromEntries(fields.map((field) => [field, `${field} is required`]));

/** The response to an unknown path, which names the right one. */
export const NO_ROUTE = rejected('routeNotFound', { path: /POST \/api\/v1\/stores\/cart\/checkout/ });

/** A complete order for the course. A change to `undefined` leaves a field out. */
export const order = ({ course }: Shop, changes: Readonly<Record<string, unknown>> = {}): object => ({
  productDocumentId: course,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  ...changes,
});
