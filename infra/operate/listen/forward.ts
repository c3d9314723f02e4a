import { performance } from 'node:perf_hooks';
import type { CartCheckout } from '../../../docs/clients/cart-checkout.mjs';
import type { Clock } from '../../../lib/core/clock.ts';
import { signedHeaders } from '../../../lib/webhooks/signature.ts';

/** An event of the feed. */
export type FeedEvent = Awaited<ReturnType<CartCheckout['listEvents']>>['events'][number];

/** The result of one attempt to forward an event. */
export interface Forwarded {
  /** The status of the response, or the reason why there is none. */
  readonly result: number | string;
  readonly isAccepted: boolean;
  readonly ms: number;
}

export type Forward = (event: FeedEvent) => Promise<Forwarded>;

/** The time limit of a webhook delivery. */
const TIMEOUT_MS = 10_000;

const failureOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response within 10 s';
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'no connection';
};

/** Forwards events as a webhook delivery does: signed, with the same headers, and without redirects. */
export const createForward =
  (forwardTo: string, secret: string, now: Clock): Forward =>
  async (event) => {
    const startedMs = performance.now();
    const ms = (): number => Math.round(performance.now() - startedMs);
    const body = JSON.stringify(event);
    try {
      const response = await fetch(forwardTo, {
        method: 'POST',
        headers: signedHeaders(event.id, body, { secret }, now()),
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return { result: response.status, isAccepted: response.ok, ms: ms() };
    } catch (error) {
      return { result: failureOf(error), isAccepted: false, ms: ms() };
    }
  };
