import { SANDBOX_CHECKOUT_PATH } from '../../../../functions/operations.ts';
import { ICON_LINK } from '../../../../lib/pages/icon.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { BRAND } from '../../../errors-page/page-frame.ts';
import type { ApiResponse } from '../../gateway/response.ts';
import { breakable } from './elements.ts';

/** The pages of the local stage, in the order of the navigation. */
const NAVIGATION = [
  ['/', 'Dashboard'],
  ['/docs', 'Try the API'],
  ['/guide/integrate.md', 'Guide'],
  ['/errors', 'Errors'],
] as const;

/** An address of the navigation. */
type Entry = (typeof NAVIGATION)[number][0];

/**
 * The links to the pages of the local stage. The page at `current`, or below it, is marked.
 *
 * @param hasTabs whether tabs mark the page itself
 */
const navigationLinks = (current: Entry | undefined, hasTabs: boolean): Markup =>
  markup`<nav aria-label="This stage"><ul>${NAVIGATION.map(
    ([address, text]) =>
      markup`<li><a href="${address}"${address === current && markup` aria-current="${hasTabs ? 'true' : 'page'}"`}>${text}</a></li>`,
  )}</ul></nav>`;

/** The part of a policy that forbids what no page of the stage does. */
const POLICY_END = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A response whose content no other site can use, and no cache keeps. By default, it loads nothing. */
export const ownResponse = (
  contentType: string,
  body: string | Buffer,
  { status = 200, sources = '' }: { readonly status?: number; readonly sources?: string } = {},
): ApiResponse => ({
  status,
  headers: [
    ['Content-Type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', `default-src 'none'; ${sources}${POLICY_END}`],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

/** The frame of a page of the local stage. */
interface PageFrame {
  readonly title: string;
  /** The marked entry of the navigation. By default, there is none. */
  readonly current?: Entry;
  /** A second part of the header. */
  readonly headerEnd?: Markup;
  /** The names of the page's styles in the folder `browser`. */
  readonly styles?: readonly string[];
}

/** The HTML of a page: its frame, with these elements in the head and the body. */
export const htmlDocument = (
  { title, current, headerEnd, styles = [] }: PageFrame,
  head: Markup,
  body: Markup,
): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Cart Checkout</title>
${ICON_LINK}
${styles.map((style) => markup`<link rel="stylesheet" href="/browser/${style}.css">\n`)}${head}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><div><a class="brand" href="/">${BRAND}</a>${navigationLinks(current, headerEnd !== undefined)}</div>${headerEnd}</header>
${body}
</body>
</html>
`.toString();

export interface HtmlPage extends PageFrame {
  readonly content: Markup;
  /** The names of its scripts in the folder `browser`, without those that they import. */
  readonly scripts?: readonly string[];
  readonly status?: number;
  /** Whether only screen readers get the title, because the page shows it otherwise. */
  readonly hidesTitle?: boolean;
  /** It shows images of the stage. Others are within the page. */
  readonly hasImages?: boolean;
}

/** Renders a page of the local stage. It loads nothing from elsewhere, and its scripts read this stage alone. */
export const htmlPage = ({
  content,
  scripts = [],
  styles = [],
  status = 200,
  hidesTitle,
  hasImages = false,
  ...frame
}: HtmlPage): ApiResponse => {
  const head = markup`${scripts.map((script) => markup`<script type="module" src="/browser/${script}.js"></script>`)}`;
  const body = markup`<main id="content">
<h1${hidesTitle && markup` class="unseen"`}>${breakable(frame.title)}</h1>
${content}
</main>`;
  const scriptSources = scripts.length > 0 && "script-src 'self'; connect-src 'self'; ";
  const sources = `${scriptSources || ''}style-src 'self'; img-src ${hasImages ? "'self' " : ''}data:; `;
  const html = htmlDocument({ ...frame, styles: ['page', 'stage', ...styles] }, head, body);
  return ownResponse('text/html', html, { status, sources });
};

/** The page for a path without a page. */
export const unknownPage = (path: string): ApiResponse =>
  htmlPage({
    title: 'Page not found',
    status: 404,
    content: markup`<section>
<p>This stage has no page at <code>${path}</code>. Check the address, or choose a page:</p>
<ul>${NAVIGATION.map(([address, text]) => markup`<li><a href="${address}">${text}</a></li>`)}</ul>
<p>A cart's payment page is at <code>${SANDBOX_CHECKOUT_PATH}/{cartId}</code>. The operations of the API are under <code>/api/v1/stores</code>.</p>
</section>`,
  });
