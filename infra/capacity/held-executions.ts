import type { Template } from 'aws-cdk-lib/assertions';
import { type HttpFunctionName, OPERATIONS } from '../../functions/operations.ts';
import { FUNCTIONS, HTTP_FUNCTION_NAMES } from '../../functions/function-needs.ts';
import { RESERVED_CONCURRENCY, splitConcurrency } from '../stage/concurrency.ts';
import { DEFAULT_LIMITS } from '../../lib/api-keys/limits.ts';
import { throttlesIn } from '../cost/template.ts';
import { largestUseOf } from '../cost/use.ts';

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

/** The tokens of a key that come back in a second. */
const TOKENS_PER_SECOND = DEFAULT_LIMITS.limit / DEFAULT_LIMITS.windowSeconds;

/** The requests to a method that the gateway accepts, and the time that each takes. */
interface Accepted {
  readonly longestMs: number;
  readonly requests: number;
}

/** The executions that so many requests hold: the longest ones first. */
const heldBy = (methods: readonly Accepted[], requestsMax: number): number => {
  let left = requestsMax;
  return methods
    .toSorted((a, b) => b.longestMs - a.longestMs)
    .reduce((held, { longestMs, requests }) => {
      const sent = Math.min(left, requests);
      left -= sent;
      return held + (sent * longestMs) / 1_000;
    }, 0);
};

/** Computes {@link HeldExecutions} from the throttles of a stage's template, with the default number of executions. */
export const heldExecutions = (template: Template): readonly HeldExecutions[] => {
  const executions = splitConcurrency(RESERVED_CONCURRENCY.byDefault);
  const throttles = throttlesIn(template);
  return HTTP_FUNCTION_NAMES.map((functionName) => {
    // The payment side has no key.
    const methods = throttles.flatMap(({ operation, ThrottlingRateLimit, ThrottlingBurstLimit }) => {
      if (!operation || OPERATIONS[operation].functionName !== functionName) return [];
      const { caller } = OPERATIONS[operation];
      const longestMs = largestUseOf(operation).durationMs;
      return caller === 'platform' ? [] : { caller, longestMs, ThrottlingRateLimit, ThrottlingBurstLimit };
    });
    const hasKeys = methods.some(({ caller }) => caller === 'merchant');
    // A key's check of a host holds an execution. It runs one at a time.
    const checks = FUNCTIONS[functionName].access.some((access) => access === 'checkAddress') ? 1 : 0;
    const held = (tokens: number, acceptedBy: (method: (typeof methods)[number]) => number): number => {
      const accepted = methods.map((method) => ({ ...method, requests: acceptedBy(method) }));
      // Nothing but the gateway limits callers without a key.
      return checks + heldBy(accepted, hasKeys ? tokens : Infinity);
    };
    return {
      functionName,
      executions: executions[functionName],
      longestMs: Math.max(...methods.map(({ longestMs }) => longestMs)),
      burst: held(
        DEFAULT_LIMITS.limit + TOKENS_PER_SECOND,
        ({ ThrottlingBurstLimit, ThrottlingRateLimit }) => ThrottlingBurstLimit + ThrottlingRateLimit,
      ),
      steady: held(TOKENS_PER_SECOND, ({ ThrottlingRateLimit }) => ThrottlingRateLimit),
    };
  });
};

/** The rows of {@link heldExecutions} in `docs/scale.md`. */
export const heldRows = (production: Template): string[][] => [
  ['Function', 'Executions', 'Longest request', 'One key, busiest second', 'One key, all day'],
  ...heldExecutions(production).map(({ functionName, executions, longestMs, burst, steady }) => [
    `\`${functionName}\``,
    String(executions),
    `${longestMs} ms`,
    burst.toFixed(1),
    steady.toFixed(1),
  ]),
];
