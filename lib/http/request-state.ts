import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { RateLimit } from '../api-keys/token-bucket.ts';
import type { InvalidField } from '../invalid-field.ts';

/** The input of an operation, or its validation issues, which are kept until 401 and 429 are ruled out. */
export type Parsed<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly details: readonly InvalidField[] };

/**
 * The state that the middlewares of one request share. It lives in Middy's `request.internal` and not in the response:
 * the rate-limit headers and the request id survive a throw.
 */
export type RequestState = {
  /** The id of the request from API Gateway. */
  requestId?: string;
  startedAtMs?: number;
  /** Why the body is not valid JSON text. */
  bodyIssues?: readonly InvalidField[] | undefined;
  parsed?: Parsed<unknown>;
  /** The id of the API key, once the key is authenticated. */
  keyId?: string;
  storeId?: string;
  rateLimit?: RateLimit;
  /** The public code of the error in the response. */
  errorCode?: string;
};

/** A middleware of this service. */
export type Middleware<Event extends APIGatewayProxyEvent = APIGatewayProxyEvent> = MiddlewareObj<
  Event,
  APIGatewayProxyResult,
  Error,
  Context,
  RequestState
>;
