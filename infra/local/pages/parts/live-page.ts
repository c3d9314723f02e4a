import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { Page } from '../../gateway/gateway.ts';
import { type HtmlPage, htmlPage, ownResponse } from './html-page.ts';

/** A page with a part that its script loads anew. */
export interface LivePage extends Omit<HtmlPage, 'content' | 'scripts' | 'current' | 'headerEnd'> {
  readonly live: Markup;
  /** The fixed parts before and after the live part. */
  readonly before?: Markup;
  readonly after?: Markup;
}

const SCRIPTS = ['copy', 'live'];

/** The page for an id that the stage does not have. */
export const missing = (what: string, reason: string): LivePage => ({
  title: `No such ${what}`,
  status: 404,
  live: markup`<section><p>The stage has no ${what} with this id. ${reason}</p><p><a href="/">Back to the dashboard</a></p></section>`,
});

/** The parts of the dashboard. */
const TABS = [
  ['/', 'Home'],
  ['/carts', 'Carts'],
  ['/requests', 'Requests'],
  ['/events', 'Events'],
  ['/endpoints', 'Endpoints'],
] as const;

/** The tabs, and the switch of the updates. The tab of a page is that of its path, or of the list that leads to it. */
const dashboardHeader = (path: string): Markup => {
  const tab = `/${path.split('/')[1]}`.replace('/deliveries', '/endpoints');
  const links = TABS.map(
    ([address, text]) =>
      markup`<li><a href="${address}"${address === tab && markup` aria-current="${address === path ? 'page' : 'true'}"`}>${text}</a></li>`,
  );
  return markup`<div class="tab-bar"><nav aria-label="Dashboard"><ul>${links}</ul></nav>
<label class="live-switch scripted"><input type="checkbox" role="switch" id="updates" checked> Live</label></div>
<p id="state" role="alert"></p>
<p class="hint">Reload this page to see what is new.</p>`;
};

/** Renders a page, or its live part alone. */
const respond = (path: string, pagePath: string, query: URLSearchParams, page: LivePage) => {
  const { live, before, after, ...frame } = page;
  if (path !== pagePath) return ownResponse('text/html', live.toString(), frame);
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const content = markup`${before}
<div id="live" tabindex="-1" data-source="${path.replace(/\/$/, '')}/live${search}">${live}</div>
<p class="scripted"><button type="button" id="exact" aria-pressed="false">Exact times</button></p>
${after}
<form id="send" method="post" action="/send"></form>
<dialog id="question" aria-labelledby="asked"><form method="dialog"><p id="asked"></p><p class="row"><button class="danger" value="yes">Yes, go on</button> <button autofocus>Cancel</button></p></form></dialog>
<p id="result" role="status"></p>`;
  return htmlPage({ ...frame, current: '/', headerEnd: dashboardHeader(path), content, scripts: SCRIPTS });
};

/**
 * Makes the function that finds a page, and below the page's address its live part for the script.
 *
 * @param pattern matches the path of the page
 * @param render renders the page for each request, with the groups of the pattern and the query of the address
 */
export const livePages =
  (pattern: RegExp, render: (groups: readonly string[], query: URLSearchParams) => Promise<LivePage>) =>
  (path: string): Page | undefined => {
    const pagePath = path.replace(/\/live$/, '') || '/';
    const [isFound, ...groups] = pattern.exec(pagePath) ?? [];
    if (isFound === undefined) return undefined;
    return async (query) => respond(path, pagePath, query, await render(groups, query));
  };
