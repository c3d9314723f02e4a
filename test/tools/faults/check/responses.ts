import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import { type ApiResponse, findDeviations } from '../../../support/contract.ts';
import {
  responseOf,
  type Exchange,
  type Expectation,
  type History,
  isUnderFault,
  type Violation,
} from '../history.ts';
import { targetOf } from '../load/sender.ts';

/** The longest time until a response, under any fault. */
const RESPONSE_TIME_MAX_MS = 5_000;

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const WITH_RETRY_AFTER = new Set<Expectation | undefined>(['rateLimited', 'serviceUnavailable']);

/** The kind of a response, or `undefined` if this API has no such response. */
const kindOf = ({ status, body }: ApiResponse): Expectation | undefined => {
  if (status === 201) return 'created';
  if (status === 200) return 'retrieved';
  const kinds = Object.keys(API_ERRORS) as ApiErrorKind[];
  return kinds.find((kind) => API_ERRORS[kind].status === status && API_ERRORS[kind].code === body['code']);
};

const missingHeaders = (kind: Expectation | undefined, { status, headers }: ApiResponse): string[] => [
  ...(WITH_RETRY_AFTER.has(kind) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')
    ? ['has no Retry-After of at least 1']
    : []),
  ...(status >= 500 || kind === 'invalidApiKey'
    ? []
    : RATE_LIMIT_HEADERS.filter((name) => headers[name] === undefined).map((name) => `has no ${name}`)),
];

/** Whether a request may get this kind of response instead of the expected one. */
const isExcused = (kind: Expectation | undefined, { request }: Exchange, { keys }: History): boolean => {
  if (kind === 'serviceUnavailable') return true;
  if (kind === 'rateLimited') return keys.has(request.keyName);
  // The idempotency check decides whether the rejection was right.
  return (
    kind === 'idempotencyKeyReused' &&
    'idempotencyKey' in request &&
    request.idempotencyKey !== undefined &&
    request.expects === 'created'
  );
};

const issuesOf = (exchange: Exchange, response: ApiResponse, history: History): string[] => {
  const kind = kindOf(response);
  const { method, path } = targetOf(exchange.request);
  const { expects } = exchange.request;
  const code = (response.body['code'] as string | undefined) ?? '';
  return [
    ...findDeviations(method, path, response),
    ...missingHeaders(kind, response),
    ...(kind === expects || isExcused(kind, exchange, history)
      ? []
      : [`is ${response.status} ${code} instead of ${expects}`]),
  ];
};

const violationsOf = (exchange: Exchange, history: History): Violation[] => {
  const { outcome, durationMs } = exchange;
  const violation = (rule: string, detail: string): Violation => ({ rule, detail, exchanges: [exchange] });
  const response = responseOf(exchange);
  const violations = (response ? issuesOf(exchange, response, history) : []).map((detail) =>
    violation('each response keeps the contract and fits its request', detail),
  );
  const deaths = history.faults.filter(({ victim }) => victim !== 'database');
  if (outcome.kind === 'cut' && !isUnderFault(exchange, deaths)) {
    violations.push(violation('a connection is cut only if its own process was killed', outcome.reason));
  }
  if (durationMs > RESPONSE_TIME_MAX_MS) {
    const rule = `each response comes within ${RESPONSE_TIME_MAX_MS} ms`;
    violations.push(violation(rule, `took ${Math.round(durationMs)} ms`));
  }
  return violations;
};

/** Checks that each response arrives in time, keeps the contract and fits its request. */
export const checkResponses = (history: History): Violation[] =>
  history.exchanges.flatMap((exchange) => violationsOf(exchange, history));
