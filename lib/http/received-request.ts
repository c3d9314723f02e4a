import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Mode } from '../stores/mode.ts';
import type { RequestMetric } from '../telemetry/metric-names.ts';
import type { RateLimit } from '../token-bucket/token-bucket.ts';
import { readHeaders, type RequestHeaders } from './request-headers.ts';

/**
 * Values for the response and the log line of a request. An error discards the response, but not this state. The steps of a
 * request pass their results to each other, not through here.
 */
export interface RequestState {
  /** When the function received the request. */
  readonly startedAtMs: number;
  /** The mode of the API key, by its text. A request without a well-formed key has none. */
  mode?: Mode | undefined;
  /** The metric that the operation counted. */
  counted?: RequestMetric;
  /** The issues of test mode, as the log names them: the known fields that seem misspelled, and rules. */
  loggedIssues?: readonly string[] | undefined;
  /** Set once the API key is authenticated, also if it is limited. The store may then be unknown. */
  keyId?: string;
  storeId?: string | undefined;
  rateLimit?: RateLimit;
  /** DynamoDB throttled the key's item, so the request is limited. */
  isKeyThrottled?: boolean;
  /** The code in the error response. */
  errorCode?: string;
}

/** A request in the pipeline: the event of API Gateway with its state, and with the headers that {@link readHeaders} returns. */
export interface ReceivedRequest extends APIGatewayProxyEvent, Pick<RequestHeaders, 'repeated'> {
  readonly state: RequestState;
}

/** Begins a request. */
export const receive = (event: APIGatewayProxyEvent, state: RequestState): ReceivedRequest => ({
  ...event,
  ...readHeaders(event),
  state,
});

export type Middleware = MiddlewareObj<ReceivedRequest, APIGatewayProxyResult>;
