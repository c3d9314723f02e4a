import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { IS_PACKAGE, ROOT } from '../../terminal/project.ts';
import { ERRORS_PATH } from '../../../functions/operations.ts';
import { ICON } from '../../../lib/pages/icon.ts';
import { inlineSource } from '../../../lib/pages/inline-source.ts';
import { markup } from '../../../lib/pages/markup.ts';
import { compact } from '../../../lib/pages/stylesheet.ts';
import { contractDocument } from '../../contract/document.ts';
import { ERRORS_TITLE, errorSections } from '../../errors-page/errors-page.ts';
import { HEADER_STYLE } from '../../errors-page/page-frame.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { guideLink } from './error-guides.ts';
import { htmlDocument, htmlPage, ownResponse } from './html-page.ts';

/** The package of this project has a copy of the files. */
const SWAGGER_UI = IS_PACKAGE
  ? join(ROOT, 'swagger-ui')
  : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const BROWSER = join(ROOT, 'infra/local/pages/browser');

const STYLE = compact(`${HEADER_STYLE}
noscript p { max-width: 72rem; margin: 1.25rem auto; padding: 0 1rem; }
noscript a { color: var(--accent); }`);

/** The pages load from the stage alone, and send requests and keys to the stage alone. */
const SOURCES = `script-src 'self'; style-src 'self' ${inlineSource(STYLE)}; img-src 'self' data:; connect-src 'self'; `;

/** The page to try the API. Its script enters the key, which is a demo key of the local stage. */
const PAGE = htmlDocument(
  { title: 'Try the API', current: '/docs', style: STYLE },
  markup`<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">`,
  markup`<div id="content"><div id="swagger-ui" data-api-key="${DEMO_STORES[0]?.apiKey}"></div></div>
<noscript><p>This page needs JavaScript. The <a href="/guide/integrate.md">guide</a> and the <a href="/openapi.json">contract</a> need none.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/docs.js"></script>`,
);

/** The files of the pages by their addresses, with the folder and the type of each. */
const FILES = new Map<string, readonly [folder: string, contentType: string]>([
  ...['copy', 'guide', 'languages', 'live', 'requests', 'times', 'toasts'].map(
    (name) => [`/${name}.js`, [BROWSER, 'text/javascript']] as const satisfies [unknown, unknown],
  ),
  ['/docs/docs.js', [BROWSER, 'text/javascript']],
  ['/docs/docs.css', [BROWSER, 'text/css']],
  ['/docs/swagger-ui-bundle.js', [SWAGGER_UI, 'text/javascript']],
  ['/docs/swagger-ui.css', [SWAGGER_UI, 'text/css']],
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
      return htmlPage({ title: ERRORS_TITLE, current: '/errors', content: errorSections(guideLink) });
    // Browsers ask for it beside the contract and the programs, which are no pages.
    if (path === '/favicon.ico') return ownResponse('image/svg+xml', ICON.toString());
    if (path === '/docs') return ownResponse('text/html', PAGE, { sources: SOURCES });
    const [folder, contentType] = FILES.get(path) ?? [];
    if (!folder || !contentType) return undefined;
    const file = readFileSync(join(folder, basename(path)), 'utf8');
    // In a layer, its rules yield to those of `docs.css`, whatever their selectors.
    return ownResponse(contentType, path === '/docs/swagger-ui.css' ? `@layer swagger-ui{${file}}` : file);
  };
