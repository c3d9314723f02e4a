import type { Cart } from '../../../lib/carts/cart.ts';
import { formatPrice } from '../../../lib/pages/formats.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { LOGGED_REQUESTS_MAX, type LoggedRequest } from '../gateway/request-log.ts';
import { livePages } from './live-page.ts';
import { pathSection } from './path-section.ts';
import { cartReference, listHeading, tableSection, time } from './parts.ts';
import { cartPills, httpTone, pill } from './pills.ts';
import { type PageRepositories, RECENT_CARTS_MAX } from './page-repositories.ts';
import { reasonLine } from './request-page.ts';
import { type StageFacts, stageSections } from './stage-sections.ts';
import { startSection } from './start-section.ts';
import { webhookSections } from './webhook-sections.ts';

/** The newest carts. It shows nothing about the buyers. */
const cartsSection = (carts: readonly Cart[], nowMs: number): Markup =>
  tableSection({
    id: 'carts',
    heading: listHeading('Carts', carts, RECENT_CARTS_MAX),
    items: carts,
    columns: {
      Created: ({ createdAtMs }) => time(createdAtMs),
      Cart: ({ id }) => cartReference(id),
      Product: ({ productName }) => productName,
      Amount: ({ price }) => markup`<span class="keep">${formatPrice(price, 'en')}</span>`,
      Status: (cart) => cartPills(cart, nowMs),
      Store: ({ storeId }) => storeId,
      Mode: ({ mode }) => mode,
    },
    empty: 'There is no cart yet. Create a test cart above.',
  });

const NO_REQUEST = markup`<p>No program has sent a request since the start. Run one of the commands above. Requests from pages of this stage are hidden.</p>`;

/** The log of requests. The stylesheet hides those from pages of the stage, unless the user wants them. */
const requestsSection = (requests: readonly LoggedRequest[]): Markup =>
  tableSection({
    id: 'requests',
    heading: listHeading('Requests', requests, LOGGED_REQUESTS_MAX),
    items: requests,
    styleOf: ({ isFromPage }) => (isFromPage ? 'from-page' : undefined),
    lineBelow: reasonLine,
    columns: {
      Time: ({ timeMs }) => time(timeMs),
      Method: ({ method }) => method,
      Path: ({ id, target }) => markup`<a href="/requests/${id}">${target}</a>`,
      Status: ({ status }) => pill(String(status), httpTone(status)),
      Cart: ({ cartId, status }) => cartId && (status === 404 ? cartId : cartReference(cartId)),
      Duration: ({ durationMs }) => markup`<span class="keep">${String(durationMs)} ms</span>`,
    },
    note: requests.every(({ isFromPage }) => isFromPage) && NO_REQUEST,
  });

const UNAVAILABLE = markup`<section><p>The database does not respond, or another version stored data that this one cannot read. If this stays, start the stage with another <code>--data</code> file.</p></section>`;

const SHOW_FROM_PAGES = markup`<label><input type="checkbox" id="from-page"> Show requests from the dashboard and payment pages</label>`;

/** Finds the dashboard at `/`, and its live part. */
export const homePages = (facts: StageFacts, repositories: PageRepositories) =>
  livePages(/^\/$/, async () => {
    const frame = {
      title: 'Cart Checkout on this machine',
      current: '/',
      control: SHOW_FROM_PAGES,
      before: startSection(facts.baseUrl),
      after: stageSections(facts),
    } as const;
    const { requests, recentCarts, now } = repositories;
    const requestsPart = requestsSection(requests.list());
    try {
      const [carts, webhooks, endpoints] = await Promise.all([
        recentCarts(),
        webhookSections(repositories),
        repositories.endpoints.list(),
      ]);
      const path = pathSection(repositories.path.progress(), endpoints);
      return { ...frame, live: markup`${[path, cartsSection(carts, now()), webhooks, requestsPart]}` };
    } catch {
      return { ...frame, status: 503, live: markup`${[requestsPart, UNAVAILABLE]}` };
    }
  });
