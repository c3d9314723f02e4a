import { type Markup, markup } from '../../../lib/pages/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import { type HtmlPage, htmlPage, ownResponse } from './html-page.ts';

/** A page with a part that its script loads anew. */
export interface LivePage extends Omit<HtmlPage, 'content' | 'scripts'> {
  readonly live: Markup;
  /** A control beside that of the updates. */
  readonly control?: Markup;
  /** The fixed parts before and after the live part. */
  readonly before?: Markup;
  readonly after?: Markup;
}

/** The way back from a page about one thing. */
export const BACK = markup`<p><a href="/">← Dashboard</a></p>`;

const SCRIPTS = ['/copy.js', '/languages.js', '/times.js', '/requests.js', '/live.js'];

/** The page for an id that the stage does not have. */
export const missing = (what: string, reason: string): LivePage => ({
  title: `There is no such ${what}`,
  status: 404,
  before: BACK,
  live: markup`<section><p>The stage has no ${what} with this id. ${reason} <a href="/">See what this stage has</a></p></section>`,
});

/**
 * Makes the function that finds a page, and below the page's address its live part for the script.
 *
 * @param pattern matches the path of the page
 * @param render renders the page for each request, with the groups of the pattern
 */
export const livePages =
  (pattern: RegExp, render: (...groups: string[]) => Promise<LivePage>) =>
  (path: string): Page | undefined => {
    const pagePath = path.replace(/\/live$/, '') || '/';
    const [isFound, ...groups] = pattern.exec(pagePath) ?? [];
    if (isFound === undefined) return undefined;
    return async () => {
      const { live, control, before, after, ...frame } = await render(...groups);
      if (path !== pagePath) return ownResponse('text/html', live.toString(), frame);
      const content = markup`${before}
<p class="row"><label class="scripted"><input type="checkbox" id="updates" checked> Update this page by itself</label>
${control} <span class="soft" id="state" role="status">Reload this page to see what is new.</span></p>
<div id="live" data-source="${path.replace(/\/$/, '')}/live">${live}</div>
${after}
<p id="result" role="status"></p>`;
      return htmlPage({ ...frame, content, scripts: SCRIPTS });
    };
  };
