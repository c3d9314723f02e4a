import type { Template } from 'aws-cdk-lib/assertions';
import { FUNCTIONS, HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { type HttpFunctionName, OPERATIONS } from '../../../functions/operations.ts';
import { DEFAULT_LIMITS } from '../../../lib/api-keys/key-limits.ts';
import { largestUseOf } from '../../cost/aws-use.ts';
import { RESERVED_CONCURRENCY, splitConcurrency } from '../../stage/concurrency.ts';
import { type StackTemplate, throttlesIn } from '../../stage/stack-template.ts';

/** The concurrency of a function that one API key with the default limits can use in production. */
interface KeyConcurrency {
  readonly functionName: HttpFunctionName;
  /** Reserved for the function. */
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

/** A method of the gateway, with the most requests that it accepts in a second, and in each of many. */
interface Method {
  readonly longestMs: number;
  readonly inOneSecond: number;
  readonly perSecond: number;
}

/** The executions that so many requests hold: the longest ones first. */
const heldBy = (
  methods: readonly Method[],
  accepted: 'inOneSecond' | 'perSecond',
  requestsMax: number,
): number => {
  let left = requestsMax;
  return methods
    .toSorted((a, b) => b.longestMs - a.longestMs)
    .reduce((held, { longestMs, ...limits }) => {
      const sent = Math.min(left, limits[accepted]);
      left -= sent;
      return held + (sent * longestMs) / 1_000;
    }, 0);
};

/** Computes {@link KeyConcurrency} from the throttles of a stage's template, with the default number of executions. */
export const concurrencyPerKey = (template: Template): readonly KeyConcurrency[] => {
  const executions = splitConcurrency(RESERVED_CONCURRENCY.byDefault);
  const throttles = throttlesIn(template.toJSON() as StackTemplate);
  return HTTP_FUNCTION_NAMES.map((functionName) => {
    const methods = throttles.flatMap(
      ({ operation, ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: atOnce }) => {
        if (!operation || OPERATIONS[operation].functionName !== functionName) return [];
        const { caller } = OPERATIONS[operation];
        const { durationMs: longestMs } = largestUseOf(operation);
        // The payment side has no key.
        return caller === 'platform' ? [] : { caller, longestMs, inOneSecond: atOnce + perSecond, perSecond };
      },
    );
    // Nothing but the gateway limits callers without a key.
    const hasKeys = methods.some(({ caller }) => caller === 'merchant');
    // A key's check of a host holds an execution. It runs one at a time.
    const checks = FUNCTIONS[functionName].access.some((access) => access === 'lockDnsCheck') ? 1 : 0;
    const held = (accepted: 'inOneSecond' | 'perSecond', tokens: number): number =>
      checks + heldBy(methods, accepted, hasKeys ? tokens : Infinity);
    return {
      functionName,
      executions: executions[functionName],
      longestMs: Math.max(...methods.map(({ longestMs }) => longestMs)),
      burst: held('inOneSecond', DEFAULT_LIMITS.limit + TOKENS_PER_SECOND),
      steady: held('perSecond', TOKENS_PER_SECOND),
    };
  });
};

/** The rows of {@link concurrencyPerKey} in `docs/scale.md`. */
export const concurrencyRows = (production: Template): string[][] => [
  ['Function', 'Executions', 'Longest request', 'One key, busiest second', 'One key, all day'],
  ...concurrencyPerKey(production).map(({ functionName, executions, longestMs, burst, steady }) => [
    `\`${functionName}\``,
    String(executions),
    `${longestMs} ms`,
    burst.toFixed(1),
    steady.toFixed(1),
  ]),
];
