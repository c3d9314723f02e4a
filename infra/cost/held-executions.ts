import type { Template } from 'aws-cdk-lib/assertions';
import {
  type HttpFunctionName,
  type Operation,
  type OperationName,
  OPERATIONS,
} from '../../functions/operations.ts';
import { FUNCTIONS, HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { RESERVED_CONCURRENCY, splitConcurrency } from '../stage/concurrency.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/limits.ts';
import { OPERATION_USE, type OperationUse } from './operation-use.ts';
import { throttlesIn } from './flood-costs.ts';

/** The executions of a function that one API key with the default limits can hold in production. */
export interface HeldExecutions {
  readonly functionName: HttpFunctionName;
  readonly executions: number;
  /** The longest time that a caller can make a request take, without the DNS. */
  readonly longestMs: number;
  /** In the key's busiest second. For a function without keys: by all callers together. */
  readonly burst: number;
  /** All day. */
  readonly steady: number;
}

/** The longest time that a caller can make a request take, without a wait for the DNS. Carts have 128 KiB. */
const durationOf = (name: OperationName): number => {
  const { largest, usual }: Partial<OperationUse> = OPERATION_USE[name];
  return Math.max(largest?.durationMs ?? 0, usual?.durationMs ?? 0);
};

/** The tokens that come back in a second. */
const TOKENS_PER_SECOND = DEFAULT_LIMITS.limit / DEFAULT_LIMITS.windowSeconds;

/** The requests that a key may send in a second. Nothing but the gateway limits callers without one. */
const requestsOf = (caller: Operation['caller']): number =>
  caller === 'merchant' ? DEFAULT_LIMITS.limit + TOKENS_PER_SECOND : Infinity;

/** The execution that a key's check of a host holds. It runs one at a time. */
const checksOf = (access: readonly string[]): number => (access.includes('checkAddress') ? 1 : 0);

/** A method of the gateway, with the most requests that it accepts in a second, and in each of many. */
interface Method {
  readonly longestMs: number;
  readonly inOneSecond: number;
  readonly perSecond: number;
}

/** The executions that these requests hold: the longest ones first. */
const heldBy = (
  methods: readonly Method[],
  requests: number,
  accepted: 'inOneSecond' | 'perSecond',
): number => {
  let left = requests;
  return methods
    .toSorted((a, b) => b.longestMs - a.longestMs)
    .reduce((held, { longestMs, ...limits }) => {
      const sent = Math.min(left, limits[accepted]);
      left -= sent;
      return held + (sent * longestMs) / 1_000;
    }, 0);
};

/** Computes {@link HeldExecutions} from the throttles of a stage's template, with the default number of executions. */
export const heldExecutions = (template: Template): readonly HeldExecutions[] => {
  const executions = splitConcurrency(RESERVED_CONCURRENCY.byDefault);
  const throttles = throttlesIn(template);
  return HTTP_FUNCTION_NAMES.map((name) => {
    const { access } = FUNCTIONS[name];
    // The payment side has no key.
    const own = throttles.flatMap(({ operation, ...limits }) =>
      operation && OPERATIONS[operation].functionName === name && OPERATIONS[operation].caller !== 'platform'
        ? [{ ...limits, operation }]
        : [],
    );
    const methods = own.map(({ operation, ThrottlingRateLimit, ThrottlingBurstLimit }) => ({
      longestMs: durationOf(operation),
      inOneSecond: ThrottlingBurstLimit + ThrottlingRateLimit,
      perSecond: ThrottlingRateLimit,
    }));
    const requests = Math.min(...own.map(({ operation }) => requestsOf(OPERATIONS[operation].caller)));
    const steady = Math.min(requests, requests === Infinity ? Infinity : TOKENS_PER_SECOND);
    return {
      functionName: name,
      executions: executions[name],
      longestMs: Math.max(...methods.map((method) => method.longestMs)),
      burst: checksOf(access) + heldBy(methods, requests, 'inOneSecond'),
      steady: checksOf(access) + heldBy(methods, steady, 'perSecond'),
    };
  });
};

/** The table of {@link heldExecutions} in `docs/scale.md`. */
export const heldTable = (production: Template): string[][] => [
  ['Function', 'Executions', 'Longest request', 'One key, busiest second', 'One key, all day'],
  ...heldExecutions(production).map(({ functionName, executions, longestMs, burst, steady }) => [
    functionName,
    String(executions),
    `${longestMs} ms`,
    burst.toFixed(1),
    steady.toFixed(1),
  ]),
];
