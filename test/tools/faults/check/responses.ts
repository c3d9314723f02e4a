import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import { type ApiResponse, findDeviations } from '../../../support/contract.ts';
import { responseOf, type Exchange, type Expectation, type History, type Violation } from '../history.ts';

/** What a client has its answer in, whatever happens. */
const ANSWER_TIME_MAX_MS = 5_000;

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const PROMISE_RETRY_AFTER = new Set<Expectation | undefined>(['rateLimited', 'serviceUnavailable']);

/** What an answer is; `undefined` where it is none that this API knows. */
const kindOf = ({ status, body }: ApiResponse): Expectation | undefined => {
  if (status === 201) return 'created';
  if (status === 200) return 'retrieved';
  const kinds = Object.keys(API_ERRORS) as ApiErrorKind[];
  return kinds.find((kind) => API_ERRORS[kind].status === status && API_ERRORS[kind].code === body['code']);
};

const targetOf = ({ request }: Exchange): [method: string, path: string] =>
  request.operation === 'create'
    ? ['POST', '/api/v1/stores/cart/checkout']
    : ['GET', `/api/v1/stores/cart/${request.cartId}`];

const missingHeaders = (kind: Expectation | undefined, { status, headers }: ApiResponse): string[] => [
  ...(PROMISE_RETRY_AFTER.has(kind) && !/^[1-9]\d*$/.test(headers['retry-after'] ?? '')
    ? ['has no Retry-After of at least 1']
    : []),
  ...(status >= 500 || kind === 'invalidApiKey'
    ? []
    : RATE_LIMIT_HEADERS.filter((name) => headers[name] === undefined).map((name) => `has no ${name}`)),
];

/** Whether a request may be answered so, other than as it expects; {@link kindOf} names what is no answer of this API. */
const isExcused = (kind: Expectation | undefined, { request }: Exchange, history: History): boolean => {
  if (kind === 'serviceUnavailable') return true;
  if (kind === 'rateLimited') return history.keys.has(request.keyName);
  // Whether it was right to say so, the idempotency check tells.
  return (
    kind === 'idempotencyKeyReused' &&
    request.operation === 'create' &&
    request.idempotencyKey !== undefined &&
    request.expects === 'created'
  );
};

const answerFaults = (exchange: Exchange, answer: ApiResponse, history: History): string[] => {
  const kind = kindOf(answer);
  const { expects } = exchange.request;
  const code = (answer.body['code'] as string | undefined) ?? '';
  return [
    ...findDeviations(...targetOf(exchange), answer),
    ...missingHeaders(kind, answer),
    ...(kind === expects || isExcused(kind, exchange, history)
      ? []
      : [`is ${answer.status} ${code} instead of ${expects}`]),
  ];
};

/** Whether the process that a request was sent to was killed, or was yet to be started again, in the meantime. */
const wasKilledMeanwhile = ({ stage, startedAtMs, endedAtMs }: Exchange, { faults }: History): boolean =>
  faults.some(
    ({ victim, fromMs, toMs }) =>
      victim !== 'database' && victim.stage === stage && startedAtMs <= toMs && endedAtMs >= fromMs,
  );

const violationsOf = (exchange: Exchange, history: History): Violation[] => {
  const { outcome, durationMs } = exchange;
  const answer = responseOf(exchange);
  const violations: Violation[] = (answer ? answerFaults(exchange, answer, history) : []).map((detail) => ({
    rule: 'every failure is shaped, and every answer is one that its request may get',
    detail,
    exchanges: [exchange],
  }));
  if (outcome.kind === 'cut' && !wasKilledMeanwhile(exchange, history)) {
    violations.push({
      rule: 'a connection is cut only where its own process was killed',
      detail: outcome.reason,
      exchanges: [exchange],
    });
  }
  if (durationMs > ANSWER_TIME_MAX_MS) {
    violations.push({
      rule: `every answer comes within ${ANSWER_TIME_MAX_MS} ms`,
      detail: `took ${Math.round(durationMs)} ms`,
      exchanges: [exchange],
    });
  }
  return violations;
};

/** Checks each answer by itself: its shape, against the contract too, its kind, its time; and that there was one. */
export const checkResponses = (history: History): Violation[] =>
  history.exchanges.flatMap((exchange) => violationsOf(exchange, history));
