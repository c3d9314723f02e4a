import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { RateLimit } from '../api-keys/token-bucket.ts';
import type { InvalidField } from '../invalid-field.ts';

/** The input of an operation, or what is wrong with it; kept until the request's turn to be refused for it comes. */
export type Parsed<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly details: readonly InvalidField[] };

/**
 * What the middlewares of one request tell each other. It lives in Middy's `request.internal`, apart from the
 * response, so that the rate-limit headers and the request id survive a throw.
 */
export type RequestState = {
  /** API Gateway's id of the request. */
  requestId?: string;
  startedAtMs?: number;
  /** Why the body is no JSON text that can be validated. */
  bodyIssues?: readonly InvalidField[] | undefined;
  parsed?: Parsed<unknown>;
  /** The id of the API key, once it is known to be good. */
  keyId?: string;
  storeId?: string;
  rateLimit?: RateLimit;
  /** The public code of the error that is answered. */
  errorCode?: string;
};

/** A middleware of this service. */
export type Middleware = MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  RequestState
>;
