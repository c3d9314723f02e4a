import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Mode } from '../core/mode.ts';
import type { RateLimit } from '../api-keys/token-bucket.ts';
import type { DatabaseDeadline } from './database-deadline.ts';
import type { RequestClock } from './request-clock.ts';
import type { InvalidField } from '../core/invalid-field.ts';
import type { RequestMetric } from '../core/metric-names.ts';

/** The input of an operation, or its validation issues, which are thrown after 401 and 429 are ruled out. */
export type Parsed<Input> = (
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly details: readonly InvalidField[] }
) & {
  /** The known fields that the client seems to have misspelled. */
  readonly misspelledFields?: readonly string[];
};

/**
 * The state that the middlewares of one request share, in Middy's `request.internal`. An error discards the response, but
 * not the rate limit and the request id in this state.
 */
export type RequestState = {
  /** From API Gateway. */
  requestId?: string;
  clock?: RequestClock;
  /** The id of the request's well-formed API key, which is not authenticated yet. */
  claimedKeyId?: string;
  /** The mode of the API key, by its text. A request without a well-formed key has none. */
  mode?: Mode;
  /** The metric that the operation counted. */
  counted?: RequestMetric;
  bodyIssues?: readonly InvalidField[] | undefined;
  parsed?: Parsed<unknown>;
  /** Ends the request's database calls. The response cancels it. */
  deadline?: DatabaseDeadline;
  /** Set once the API key is authenticated, also if it is limited. The store may then be unknown. */
  keyId?: string;
  storeId?: string | undefined;
  rateLimit?: RateLimit;
  /** DynamoDB throttled the key's item, so the request is limited. */
  isKeyThrottled?: boolean;
  /** The code in the error response. */
  errorCode?: string;
};

export type Middleware<Event extends APIGatewayProxyEvent = APIGatewayProxyEvent> = MiddlewareObj<
  Event,
  APIGatewayProxyResult,
  Error,
  Context,
  RequestState
>;
