import { markup } from '../../../lib/pages/markup.ts';
import { isOutage } from '../../../lib/core/aws-errors.ts';
import { UnreadableItemError } from '../../../lib/database/schema-version.ts';
import { newestCartsSection } from './cart-list.ts';
import { newestEventsSection } from './event-list.ts';
import { NEWEST_SIZE } from './list-parts.ts';
import { livePages } from './live-page.ts';
import { pathSection } from './path-section.ts';
import type { PageRepositories } from './page-repositories.ts';
import { newestRequests } from './request-list.ts';
import { type StageFacts, stageSection } from './stage-sections.ts';
import { callSamples, startSection } from './start-section.ts';

const UNAVAILABLE = markup`<section><p>The database does not respond, or another version stored data that this one cannot read. If this stays, start the stage with another <code>--data</code> file.</p></section>`;

/** Finds the dashboard at `/`, and its live part. */
export const homePages = (facts: StageFacts, repositories: PageRepositories) => {
  const frame = { title: 'Dashboard', hidesTitle: true, after: stageSection(facts) } as const;
  const samples = callSamples(facts.baseUrl);
  return livePages(/^\/$/, async () => {
    const requests = newestRequests(repositories);
    try {
      const [ids, carts, endpoints] = await Promise.all([
        repositories.cartIds(),
        repositories.newestCarts(NEWEST_SIZE),
        repositories.endpoints.list(),
      ]);
      const events = await newestEventsSection(carts, endpoints, repositories);
      const before = startSection(samples, ids.length > 0);
      const path = pathSection(repositories.path.progress(), endpoints);
      const newest = newestCartsSection(carts, repositories.now());
      return { ...frame, before, live: markup`${[path, newest, events, requests]}` };
    } catch (error) {
      if (!isOutage(error) && !(error instanceof UnreadableItemError)) throw error;
      const before = startSection(samples, true);
      return { ...frame, before, status: 503, live: markup`${[requests, UNAVAILABLE]}` };
    }
  });
};
