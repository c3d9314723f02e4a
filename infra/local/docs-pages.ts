import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { ERRORS_PATH } from '../../functions/operations.ts';
import { markup } from '../../lib/sandbox/markup.ts';
import { contractDocument } from '../contract/document.ts';
import { ERRORS_PAGE_HEADERS, errorsPage } from '../errors-page.ts';
import { DEMO_STORES } from './demo-stores.ts';
import type { ApiResponse } from './gateway/response.ts';
import { htmlDocument, NAVIGATION_LINKS, ownResponse } from './pages/html-page.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const BROWSER = join(import.meta.dirname, 'pages/browser');

/** The pages load from the stage alone, and send requests and keys to the stage alone. */
const SOURCES = "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ";

/** The page to try the API. Its script enters the key, which is a demo key of the local stage. */
const PAGE = htmlDocument(
  'Cart Checkout API',
  markup`<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">`,
  markup`<header>${NAVIGATION_LINKS}</header>
<div id="swagger-ui" data-api-key="${DEMO_STORES[0]?.apiKey}"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/docs.js"></script>`,
);

/** The files of the pages by their addresses, with the folder and the type of each. */
const FILES: ReadonlyMap<string, readonly [folder: string, contentType: string]> = new Map([
  ['/home.js', [BROWSER, 'text/javascript']],
  ['/docs/docs.js', [BROWSER, 'text/javascript']],
  ['/docs/docs.css', [BROWSER, 'text/css']],
  ['/docs/swagger-ui-bundle.js', [SWAGGER_UI, 'text/javascript']],
  ['/docs/swagger-ui.css', [SWAGGER_UI, 'text/css']],
  ['/docs/favicon-32x32.png', [SWAGGER_UI, 'image/png']],
]);

/** Makes the function that finds the contract, the page to try it, the page of errors, and the files of all pages. */
export const docsPages =
  (baseUrl: string) =>
  (path: string): ApiResponse | undefined => {
    if (path === '/openapi.json') {
      const contract = JSON.stringify(contractDocument(baseUrl));
      return ownResponse('application/json', contract);
    }
    if (path === ERRORS_PATH)
      return { status: 200, headers: Object.entries(ERRORS_PAGE_HEADERS), body: errorsPage() };
    if (path === '/docs') return ownResponse('text/html', PAGE, { sources: SOURCES });
    const [folder, contentType] = FILES.get(path) ?? [];
    return folder && contentType
      ? ownResponse(contentType, readFileSync(join(folder, basename(path))))
      : undefined;
  };
