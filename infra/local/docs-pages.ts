import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ERRORS_PATH } from '../../functions/operations.ts';
import { markup } from '../../lib/sandbox/markup.ts';
import { contractDocument } from '../contract/document.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../errors-page.ts';
import { DEMO_STORES } from './demo-stores.ts';
import type { ApiResponse } from './gateway/response.ts';
import { NAVIGATION_LINKS } from './pages/html-page.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The script of the page, and the changes of its style. */
const BROWSER_FILES = join(import.meta.dirname, 'pages/browser');

/** The page loads from the stage alone, and sends requests and keys to the stage alone. */
const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The script enters the key, which is a demo key of the local stage. */
const PAGE = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cart Checkout API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header>${NAVIGATION_LINKS}</header>
<div id="swagger-ui" data-api-key="${DEMO_STORES[0]?.apiKey}"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/docs.js"></script>
</body>
</html>
`.toString();

const page = (contentType: string, body: string | Buffer): ApiResponse => ({
  status: 200,
  headers: [
    ['Content-Type', contentType],
    ['Cache-Control', 'no-cache'],
    ['Content-Security-Policy', SECURITY_POLICY],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  // Responses that wait for slow clients then share one buffer.
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

const fileIn =
  (folder: string) =>
  (contentType: string, name: string): ApiResponse =>
    page(contentType, readFileSync(join(folder, name)));

const packaged = fileIn(SWAGGER_UI);
const own = fileIn(BROWSER_FILES);

const PAGES: ReadonlyMap<string, (baseUrl: string) => ApiResponse> = new Map([
  ['/openapi.json', (baseUrl: string) => page('application/json', JSON.stringify(contractDocument(baseUrl)))],
  [ERRORS_PATH, () => ({ status: 200, headers: Object.entries(ERRORS_PAGE_HEADERS), body: errorsPage() })],
  ['/docs', () => page('text/html; charset=utf-8', PAGE)],
  ['/docs/docs.js', () => own('text/javascript; charset=utf-8', 'docs.js')],
  ['/docs/docs.css', () => own('text/css; charset=utf-8', 'docs.css')],
  ['/docs/swagger-ui-bundle.js', () => packaged('text/javascript; charset=utf-8', 'swagger-ui-bundle.js')],
  ['/docs/swagger-ui.css', () => packaged('text/css; charset=utf-8', 'swagger-ui.css')],
  ['/docs/favicon-32x32.png', () => packaged('image/png', 'favicon-32x32.png')],
]);

/**
 * Makes the function that finds the pages of the documentation: the contract, a page to read and try it, and the page of
 * errors. It makes each page once, on its first request.
 */
export const docsPages = (baseUrl: string): ((path: string) => ApiResponse | undefined) => {
  const made = new Map<string, ApiResponse>();
  return (path) => {
    const response = made.get(path) ?? PAGES.get(path)?.(baseUrl);
    if (response) made.set(path, response);
    return response;
  };
};
