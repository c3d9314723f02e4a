import { type Markup, markup, trusted } from '../../../lib/sandbox/markup.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { STYLESHEET, STYLESHEET_HASH } from './stylesheet.ts';

/** The pages of the local stage, in the order of the navigation. */
const NAVIGATION = [
  ['/', 'Overview'],
  ['/docs', 'Try the API'],
  ['/guide/integrate.md', 'Guide'],
  ['/errors', 'Errors'],
  ['/openapi.json', 'OpenAPI'],
] as const;

/** The links to the pages of the local stage. */
export const NAVIGATION_LINKS = markup`<nav aria-label="This stage"><ul>${NAVIGATION.map(
  ([address, text]) => markup`<li><a href="${address}">${text}</a></li>`,
)}</ul></nav>`;

/** The part of a policy that forbids what no page of the stage does. */
const POLICY_END = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

/** The HTML of a page. */
export const htmlDocument = (title: string, head: Markup, body: Markup): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.toString();

/**
 * Renders a page of the local stage. It loads nothing from elsewhere, and its script reads this stage alone.
 *
 * @param script the address of a script of the stage. By default, the page runs none
 */
export const htmlPage = (title: string, content: Markup, script?: string, status = 200): ApiResponse => {
  const head = markup`<link rel="icon" href="data:,">
<style>${trusted(STYLESHEET)}</style>
${script !== undefined && markup`<script type="module" src="${script}"></script>`}`;
  const body = markup`<header>
<h1>${title}</h1>
${NAVIGATION_LINKS}
</header>
<main>
${content}
</main>`;
  const scripts = script === undefined ? '' : "script-src 'self'; connect-src 'self'; ";
  const sources = `${scripts}style-src ${STYLESHEET_HASH}; img-src data:; `;
  return ownResponse('text/html', htmlDocument(title, head, body), { status, sources });
};
