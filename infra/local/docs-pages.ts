import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ERRORS_PATH } from '../../functions/operations.ts';
import { markup } from '../../lib/sandbox/markup.ts';
import { contractDocument } from '../contract/document.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../errors-page.ts';
import { DEMO_STORES } from './demo-stores.ts';
import type { ApiResponse } from './gateway/response.ts';
import { NAVIGATION_LINKS, ownResponse } from './pages/html-page.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The script of the page, and the changes of its style. */
const BROWSER_FILES = join(import.meta.dirname, 'pages/browser');

/** The page loads from the stage alone, and sends requests and keys to the stage alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

/** The files below `/docs/`, with the folder and the type of each. */
const FILES: Readonly<Record<string, readonly [folder: string, contentType: string]>> = {
  'docs.js': [BROWSER_FILES, 'text/javascript; charset=utf-8'],
  'docs.css': [BROWSER_FILES, 'text/css; charset=utf-8'],
  'swagger-ui-bundle.js': [SWAGGER_UI, 'text/javascript; charset=utf-8'],
  'swagger-ui.css': [SWAGGER_UI, 'text/css; charset=utf-8'],
  'favicon-32x32.png': [SWAGGER_UI, 'image/png'],
};

/** Makes the function that finds the pages of the documentation: the contract, a page to read and try it, and the page of errors. */
export const docsPages =
  (baseUrl: string) =>
  (path: string): ApiResponse | undefined => {
    if (path === '/openapi.json')
      return ownResponse('application/json', Buffer.from(JSON.stringify(contractDocument(baseUrl))));
    if (path === ERRORS_PATH)
      return { status: 200, headers: Object.entries(ERRORS_PAGE_HEADERS), body: errorsPage() };
    if (path === '/docs')
      return ownResponse('text/html; charset=utf-8', Buffer.from(PAGE), { policy: POLICY });
    const name = path.startsWith('/docs/') ? path.slice('/docs/'.length) : '';
    if (!Object.hasOwn(FILES, name)) return undefined;
    const [folder = '', contentType = ''] = FILES[name] ?? [];
    return ownResponse(contentType, readFileSync(join(folder, name)), { policy: POLICY });
  };
