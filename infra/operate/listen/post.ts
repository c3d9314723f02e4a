import type { CartCheckout } from 'cart-checkout-client';
import { firstCharacters } from '../../../lib/core/characters.ts';
import { ATTEMPT_MS_MAX } from '../../../lib/deliveries/sending/schedule.ts';
import { signedHeaders } from '../../../lib/deliveries/sending/signature.ts';

type FeedEvent = Awaited<ReturnType<CartCheckout['listEvents']>>['events'][number];

/** An attempt to forward an event. */
interface Attempt {
  /** The status of the response, or the code of the error without one. */
  readonly result: number | string;
  readonly accepted: boolean;
  /** Why it was not accepted. */
  readonly reason?: string | undefined;
}

const LINE_CHARACTERS_MAX = 200;

/** The errors of a connection that a developer can fix, by their codes. */
const REASONS: readonly (readonly [code: RegExp, reason: (host: string) => string])[] = [
  [/^ECONNREFUSED$/, (host) => `nothing listens at ${host}: start your server`],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, (host) => `the DNS has no address for ${host}`],
  [/^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/, (host) => `${host} closed the connection without a response`],
  // https://fetch.spec.whatwg.org/#port-blocking
  [/^bad port$/, (host) => `fetch calls no server at the port of ${host}: choose another`],
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, (host) => `${host} uses no TLS: begin the address with http://`],
  [
    /^(?:ERR_SSL|ERR_TLS|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/,
    (host) => `the TLS certificate of ${host} is not trusted`,
  ],
];

/** The first line of a response, as far as it came with the first part of the body. */
const firstLine = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  const part = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  const [line = ''] = Buffer.from(part?.value ?? [])
    .toString()
    .trim()
    .split(/\r?\n/);
  return firstCharacters(line, LINE_CHARACTERS_MAX);
};

/** Sends an event as a webhook delivery does: signed, with the same headers, and without redirects. */
export const post = async (
  url: string,
  event: FeedEvent,
  secret: string,
  nowMs: number,
): Promise<Attempt> => {
  const body = JSON.stringify(event);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(event.id, body, { secret }, nowMs),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ATTEMPT_MS_MAX),
    });
    const line = await firstLine(response);
    return response.ok
      ? { result: response.status, accepted: true }
      : { result: response.status, accepted: false, reason: line || undefined };
  } catch (error) {
    const { cause, name } = error as Error & { readonly cause?: Error & { readonly code?: string } };
    if (name === 'TimeoutError') {
      return { result: 'timeout', accepted: false, reason: `no response within ${ATTEMPT_MS_MAX / 1_000} s` };
    }
    const code = cause?.code ?? cause?.message ?? 'no connection';
    const [, reason] = REASONS.find(([codes]) => codes.test(code)) ?? [];
    return { result: code, accepted: false, reason: reason?.(new URL(url).host) ?? cause?.message };
  }
};
