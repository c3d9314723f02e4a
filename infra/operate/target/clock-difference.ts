import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CLOCK_DIFFERENCE_MAX_MS, type Clock } from '../../../lib/core/clock.ts';
import { OperatorError } from '../../terminal/operator-error.ts';

/** From here on, a command would date its changes wrongly. */
const REFUSED_MS = 60_000;

/** Measures how far this machine's clock is ahead of AWS, in milliseconds, by the `Date` header of a client's last response. */
export const watchClock = (client: CloudFormationClient, now: Clock): (() => number | undefined) => {
  let aheadMs: number | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { readonly headers: Readonly<Record<string, string>> };
      const dateMs = Date.parse(headers['date'] ?? '');
      if (!Number.isNaN(dateMs)) aheadMs = now() - dateMs;
      return result;
    },
    { step: 'deserialize' },
  );
  return () => aheadMs;
};

/**
 * Reports a clock that is wrong. The rules of the service hold for clocks that differ by at most 5 s.
 *
 * @param aheadMs the result of {@link watchClock}
 * @throws OperatorError if it is wrong by a minute or more
 */
export const checkClock = (aheadMs: number | undefined, say: (line: string) => void): void => {
  if (aheadMs === undefined || Math.abs(aheadMs) < CLOCK_DIFFERENCE_MAX_MS) return;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const sentence = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} AWS`;
  if (Math.abs(aheadMs) >= REFUSED_MS)
    throw new OperatorError(`${sentence}: correct it. Nothing was changed.`);
  say(`${sentence}: correct it.`);
};
