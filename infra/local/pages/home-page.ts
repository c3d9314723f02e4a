import type { Clock } from '../../../lib/core/clock.ts';
import { markup } from '../../../lib/sandbox/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import type { RequestLog } from '../request-log.ts';
import { cartsSection } from './carts-section.ts';
import { livePages } from './live-page.ts';
import type { createRecentCarts } from './recent-carts.ts';
import { requestsSection } from './requests-section.ts';
import { type StageFacts, stageSection } from './stage-section.ts';
import { startSection } from './start-section.ts';
import { webhooksSection, type WebhookStores } from './webhooks-section.ts';

export interface HomePageOptions extends WebhookStores {
  readonly facts: StageFacts;
  readonly requests: Pick<RequestLog, 'list'>;
  readonly recentCarts: ReturnType<typeof createRecentCarts>;
  readonly now: Clock;
}

const UNAVAILABLE = markup`<section><p>The database does not respond, or another version stored data that this one cannot read. Reload this page in a moment.</p></section>`;

const SHOW_FROM_PAGES = markup`<label class="scripted"><input type="checkbox" id="from-page"> Show requests from the dashboard and payment pages</label>`;

/** Finds the dashboard at `/`, and its live part. */
export const homePages = (options: HomePageOptions): ((path: string) => Page | undefined) =>
  livePages('/', async () => {
    const { requests, recentCarts, now, facts } = options;
    const before = startSection(facts.baseUrl);
    const after = stageSection(facts);
    const frame = {
      title: 'Cart Checkout on this machine',
      current: '/',
      controls: SHOW_FROM_PAGES,
      before,
      after,
    } as const;
    const requestsPart = requestsSection(requests.list());
    try {
      const [carts, webhooks] = await Promise.all([recentCarts(), webhooksSection(options)]);
      return { ...frame, live: markup`${[cartsSection(carts, now()), webhooks, requestsPart]}` };
    } catch {
      return { ...frame, status: 503, live: markup`${[requestsPart, UNAVAILABLE]}` };
    }
  });
