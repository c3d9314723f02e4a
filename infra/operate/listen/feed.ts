import * as z from 'zod/mini';
import { OPERATIONS } from '../../../functions/operations.ts';

const eventSchema = z.looseObject({ id: z.string(), type: z.string() });

const pageSchema = z.object({
  events: z.array(eventSchema),
  cursor: z.string(),
  hasMore: z.boolean(),
});

/** An event as the feed returns it. */
export type FeedEvent = z.output<typeof eventSchema>;

/** The result of a read of the feed. */
export type FeedRead =
  | { readonly outcome: 'page'; readonly page: z.output<typeof pageSchema> }
  /** The key's bucket is empty. */
  | { readonly outcome: 'limited'; readonly retryAfterMs: number }
  /** The stage rejects the cursor: its events are no longer kept, or it belongs to another log. */
  | { readonly outcome: 'lost'; readonly reason: string }
  /** The stage rejects the key or the whole request. */
  | { readonly outcome: 'rejected'; readonly reason: string }
  /** A later retry may succeed. */
  | { readonly outcome: 'unavailable'; readonly reason: string };

/** Reads the next page of the feed of the key's store and mode. It does not throw. */
export type ReadFeed = (cursor: string | undefined) => Promise<FeedRead>;

const TIMEOUT_MS = 10_000;
const PAGE_EVENTS = 100;
const RETRY_AFTER_MAX_SECONDS = 3_600;

const retryAfterMs = (headers: Headers): number => {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Math.min(Math.max(Number.isFinite(seconds) ? seconds : 1, 1), RETRY_AFTER_MAX_SECONDS) * 1_000;
};

/** The first issue of a 422, or the message of any other error. */
const reasonOf = (body: unknown, status: number): string => {
  const { message, details } = (body ?? {}) as { message?: unknown; details?: { message?: unknown }[] };
  const text = details?.[0]?.message ?? message;
  return typeof text === 'string' ? text : `status ${status}`;
};

const toRead = async (response: Response, hasCursor: boolean): Promise<FeedRead> => {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (status === 200) {
    const page = pageSchema.safeParse(body);
    if (page.success) return { outcome: 'page', page: page.data };
    return { outcome: 'unavailable', reason: 'the response is not a page of events' };
  }
  if (status === 429) return { outcome: 'limited', retryAfterMs: retryAfterMs(headers) };
  const reason = reasonOf(body, status);
  if (status === 422 && hasCursor) return { outcome: 'lost', reason };
  if (status === 404)
    return { outcome: 'rejected', reason: 'it has no feed of events: check --base-url, or deploy it again' };
  const isFinal = status < 500 && status !== 408;
  return { outcome: isFinal ? 'rejected' : 'unavailable', reason };
};

/** Reads the feed over HTTP with an API key. It follows no redirect, which could send the key elsewhere. */
export const createReadFeed =
  (baseUrl: string, apiKey: string, stop: AbortSignal): ReadFeed =>
  async (cursor) => {
    const url = new URL(`${baseUrl}${OPERATIONS.listEvents.path}`);
    url.searchParams.set('limit', String(PAGE_EVENTS));
    if (cursor !== undefined) url.searchParams.set('after', cursor);
    try {
      const response = await fetch(url, {
        headers: { Authorization: `Bearer ${apiKey}` },
        redirect: 'manual',
        signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return await toRead(response, cursor !== undefined);
    } catch {
      return { outcome: 'unavailable', reason: 'it does not respond' };
    }
  };
