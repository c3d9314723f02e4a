import type { Clock } from '../../../lib/core/clock.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import type { RequestLog } from '../request-log.ts';
import { cartsSection } from './carts-section.ts';
import { htmlPage, ownResponse } from './html-page.ts';
import { requestsSection } from './requests-section.ts';
import { type StageFacts, startSection } from './start-section.ts';
import { webhooksSection, type WebhookStores } from './webhooks-section.ts';

export interface HomePageOptions extends WebhookStores {
  readonly facts: StageFacts;
  readonly requests: Pick<RequestLog, 'list'>;
  readonly carts: Parameters<typeof cartsSection>[1];
  readonly now: Clock;
}

const UNAVAILABLE = markup`<section><p>The database does not respond. Reload this page in a moment.</p></section>`;

/** The part that the script replaces, and its status. */
const livePart = async (options: HomePageOptions): Promise<[status: number, content: Markup]> => {
  const requests = options.requests.list();
  try {
    const sections = [cartsSection(requests, options.carts, options.now()), webhooksSection(options)];
    return [200, markup`${[requestsSection(requests), ...(await Promise.all(sections))]}`];
  } catch {
    return [503, markup`${[requestsSection(requests), UNAVAILABLE]}`];
  }
};

/** The pages of the overview by their path: `/`, and the part that its script loads anew. */
export const homePages = (options: HomePageOptions): ReadonlyMap<string, Page> =>
  new Map<string, Page>([
    [
      '/',
      async () => {
        const [status, content] = await livePart(options);
        const page = markup`${startSection(options.facts)}
<p class="row"><span class="soft" id="state" role="status">Reload this page to see new requests.</span>
<button type="button" id="pause" hidden>Pause</button></p>
<div id="live">${content}</div>`;
        const title = 'This stage';
        return htmlPage({ title, current: '/', content: page, scripts: ['/copy.js', '/home.js'], status });
      },
    ],
    [
      '/live',
      async () => {
        const [status, content] = await livePart(options);
        return ownResponse('text/html', content.toString(), { status });
      },
    ],
  ]);
