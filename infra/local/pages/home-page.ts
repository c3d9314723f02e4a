import type { Clock } from '../../../lib/core/clock.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import type { ApiResponse } from '../gateway/response.ts';
import type { RequestLog } from '../request-log.ts';
import { browserScript } from './browser-script.ts';
import { cartsSection, type RecentCarts } from './carts-section.ts';
import { htmlPage, ownResponse } from './html-page.ts';
import { requestRows, requestsSection } from './requests-section.ts';
import { type StageFacts, startSection } from './start-section.ts';
import { webhooksSection, type WebhookStores } from './webhooks-section.ts';

export interface HomePageOptions extends WebhookStores {
  readonly facts: StageFacts;
  readonly requests: Pick<RequestLog, 'after'>;
  readonly carts: RecentCarts;
  readonly now: Clock;
}

const HTML = 'text/html; charset=utf-8';

const UNAVAILABLE = markup`<section><p>The database does not respond. Reload this page in a moment.</p></section>`;

/** The part that the script replaces, and its status. */
const overview = async (options: HomePageOptions): Promise<[status: number, content: Markup]> => {
  try {
    const sections = await Promise.all([cartsSection(options.carts, options.now), webhooksSection(options)]);
    return [200, markup`${sections}`];
  } catch {
    return [503, UNAVAILABLE];
  }
};

/** The rows of the requests after `?after={id}`. 204 if there are none. */
const newRequests = (requests: HomePageOptions['requests'], query: string): ApiResponse => {
  const found = requests.after(Number(new URLSearchParams(query).get('after') ?? 0));
  return ownResponse(HTML, requestRows(found).toString(), { status: found.length === 0 ? 204 : 200 });
};

/** The pages of the overview by their path: `/`, its script, and the two parts that the script loads anew. */
export const homePages = (options: HomePageOptions): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    [
      '/',
      async () => {
        const [status, content] = await overview(options);
        return htmlPage({
          title: 'Cart Checkout on this machine',
          status,
          script: '/home.js',
          content: markup`${startSection(options.facts)}
${requestsSection(options.requests.after())}
<div id="overview">${content}</div>`,
        });
      },
    ],
    ['/home.js', browserScript('home.js')],
    ['/live/requests', async (query) => newRequests(options.requests, query)],
    [
      '/live/overview',
      async () => {
        const [status, content] = await overview(options);
        return ownResponse(HTML, content.toString(), { status });
      },
    ],
  ]);
