import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../load/random.ts';

interface FeedPage {
  readonly events: readonly CartEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const SILENCE_MAX_MS = 15_000;
const PAUSE_MS = 150;

export const LIMIT_MAX = 100;

/**
 * Reads a page of a feed.
 *
 * @throws Error if the response is none or not 200
 */
const readPage = async (
  baseUrl: string,
  apiKey: string,
  after: string | undefined,
  limit: number,
): Promise<FeedPage> => {
  const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
  const response = await fetch(`${baseUrl}/api/v1/stores/events?${query.toString()}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(SILENCE_MAX_MS),
  });
  if (response.status !== 200) throw new FeedError(response.status, await response.text());
  return (await response.json()) as FeedPage;
};

/** A response of the feed that is not 200. */
class FeedError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`the feed responds ${status}: ${text}`);
    this.name = 'FeedError';
    this.status = status;
  }
}

/** The events of a feed, and the requests that a reader needed. */
export interface ReadFeed {
  readonly events: readonly CartEvent[];
  readonly requests: number;
}

/** Reads a feed from its start to its end. */
export const readFeed = async (baseUrl: string, apiKey: string): Promise<ReadFeed> => {
  const events: CartEvent[] = [];
  let requests = 0;
  let cursor: string | undefined;
  for (;;) {
    const page = await readPage(baseUrl, apiKey, cursor, LIMIT_MAX);
    requests += 1;
    events.push(...page.events);
    cursor = page.cursor;
    if (!page.hasMore) return { events, requests };
  }
};

/**
 * Follows a feed by the cursor, at any of the service processes, as a merchant does. A failed request is repeated with the
 * same cursor.
 */
export const followFeed = (baseUrls: readonly string[], apiKey: string, random: Random) => {
  const events: CartEvent[] = [];
  /** Responses that no merchant expects, such as a rejected cursor. */
  const surprises: string[] = [];
  const stopping = new AbortController();
  let cursor: string | undefined;
  const turn = async (): Promise<boolean> => {
    const baseUrl = random.any(baseUrls)!;
    const limit = 1 + Math.floor(random.next() * LIMIT_MAX);
    try {
      const page = await readPage(baseUrl, apiKey, cursor, limit);
      events.push(...page.events);
      ({ cursor } = page);
      return page.hasMore;
    } catch (error) {
      if (error instanceof FeedError && error.status !== 503) surprises.push(error.message);
      return false;
    }
  };
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!(await turn())) await setTimeout(PAUSE_MS);
    }
    // Reads the events that became visible before the stop.
    while (await turn());
  };
  const following = follow();
  return {
    events: events as readonly CartEvent[],
    surprises: surprises as readonly string[],
    stop: async (): Promise<void> => {
      stopping.abort();
      await following;
    },
  };
};

export type FeedFollower = ReturnType<typeof followFeed>;
