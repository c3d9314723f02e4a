import { OPERATIONS } from '../../../../../functions/operations.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../../../lib/http/errors.ts';
import { type ApiResponse, findDeviations } from '../../../../support/contract/contract.ts';
import { type BrokenRule, findBroken } from '../../broken-rule.ts';
import { type Exchange, type Expectation, type History, isUnderFault } from '../history.ts';
import { pathOf } from '../sender.ts';

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
  const { idempotencyKey, expects } = request;
  return kind === 'idempotencyKeyReused' && idempotencyKey !== undefined && expects === 'created';
};

const issuesOf = (exchange: Exchange, response: ApiResponse, history: History): string[] => {
  const kind = kindOf(response);
  const { operation, expects } = exchange.request;
  const code = (response.body['code'] as string | undefined) ?? '';
  return [
    ...findDeviations(OPERATIONS[operation].method, pathOf(exchange.request), response),
    ...missingHeaders(kind, response),
    ...(kind === expects || isExcused(kind, exchange, history)
      ? []
      : [`is ${response.status} ${code} instead of ${expects}`]),
  ];
};

const violationsOf = (exchange: Exchange, history: History): BrokenRule[] => {
  const { status, response, cutReason = '', durationMs } = exchange;
  const deaths = history.faults.filter(({ target }) => target !== 'database');
  const isWrongCut = status === 'cut' && !isUnderFault(exchange, deaths);
  const isLate = durationMs > RESPONSE_TIME_MAX_MS;
  const shownBy = [exchange];
  return [
    ...(response ? issuesOf(exchange, response, history) : []).map((detail) => ({
      rule: 'each response keeps the contract and fits its request',
      detail,
      exchanges: shownBy,
    })),
    ...findBroken(cutReason, [
      ['a connection is cut only if its own process was killed', isWrongCut, shownBy],
    ]),
    ...findBroken(`took ${Math.round(durationMs)} ms`, [
      [`each response comes within ${RESPONSE_TIME_MAX_MS} ms`, isLate, shownBy],
    ]),
  ];
};

/** Checks that each response arrives in time, keeps the contract and fits its request. */
export const checkResponses = (history: History): BrokenRule[] =>
  history.exchanges.flatMap((exchange) => violationsOf(exchange, history));
