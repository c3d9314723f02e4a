import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import { type HtmlPage, htmlPage, ownResponse } from './html-page.ts';

/** A page with a part that its script loads anew. */
export interface LivePage extends Omit<HtmlPage, 'content' | 'scripts'> {
  readonly live: Markup;
  /** Controls beside the button `Pause`. */
  readonly controls?: Markup;
  /** The fixed parts before and after the live part. */
  readonly before?: Markup;
  readonly after?: Markup;
}

const SCRIPTS = ['/copy.js', '/requests.js', '/live.js'];

/** The last segment of the live part's address. */
const LIVE = 'live';

/**
 * Makes the function that finds a page, and its live part for the script, below the page's own address.
 *
 * @param path of the page
 * @param render renders the page for each request
 */
export const livePages = (path: string, render: () => Promise<LivePage>) => {
  const source = path.endsWith('/') ? path + LIVE : `${path}/${LIVE}`;
  const page: Page = async () => {
    const { live, controls, before, after, ...frame } = await render();
    const content = markup`${before}
<p class="row"><span class="soft" id="state" role="status">Reload this page to see what is new.</span>
<button type="button" id="pause" hidden>Pause</button>
${controls}</p>
<div id="live" data-source="${source}">${live}</div>
${after}
<p id="result" role="status"></p>`;
    return htmlPage({ ...frame, content, scripts: SCRIPTS });
  };
  const livePart: Page = async () => {
    const { live, status = 200 } = await render();
    return ownResponse('text/html', live.toString(), { status });
  };
  return (requested: string): Page | undefined => {
    if (requested === path) return page;
    return requested === source ? livePart : undefined;
  };
};
