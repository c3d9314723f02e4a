import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../world/random.ts';

interface FeedPage {
  readonly events: readonly CartEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const SILENCE_MAX_MS = 15_000;
const PAUSE_MS = 150;

const LIMIT_MAX = 100;

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
  if (response.status !== 200) throw new Error(`The feed responds ${response.status}`);
  return (await response.json()) as FeedPage;
};

/**
 * Follows a feed by the cursor, at any of the service processes, as a merchant does. A failed request is repeated with the
 * same cursor.
 */
export const followFeed = (baseUrls: readonly string[], apiKey: string, random: Random) => {
  const events: CartEvent[] = [];
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
    } catch {
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
    stop: async (): Promise<void> => {
      stopping.abort();
      await following;
    },
  };
};

export type FeedFollower = ReturnType<typeof followFeed>;
