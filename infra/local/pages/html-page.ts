import { type Markup, markup, trusted } from '../../../lib/sandbox/markup.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { STYLESHEET, STYLESHEET_HASH } from './stylesheet.ts';

export interface HtmlPage {
  readonly title: string;
  readonly content: Markup;
  /** The address of a script of the stage. By default, the page runs none. */
  readonly script?: string;
  /** Default: 200 */
  readonly status?: number;
}

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

/** A page loads nothing from elsewhere. Its script reads this stage alone. */
const policyOf = (script: string | undefined): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
    `style-src ${STYLESHEET_HASH}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A response whose content no other site can use, and no cache keeps. */
export const ownResponse = (
  contentType: string,
  body: string | Buffer,
  {
    status = 200,
    policy = "default-src 'none'",
  }: { readonly status?: number; readonly policy?: string } = {},
): ApiResponse => ({
  status,
  headers: [
    ['Content-Type', contentType],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', policy],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

/** Renders a page of the local stage. */
export const htmlPage = ({ title, content, script, status = 200 }: HtmlPage): ApiResponse => {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLESHEET)}</style>
${script !== undefined && markup`<script type="module" src="${script}"></script>`}
</head>
<body>
<header>
<h1>${title}</h1>
${NAVIGATION_LINKS}
</header>
<main>
${content}
</main>
</body>
</html>
`;
  return ownResponse('text/html; charset=utf-8', page.toString(), { status, policy: policyOf(script) });
};
