import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { markup } from '../../../../lib/pages/markup.ts';
import { IS_PACKAGE, ROOT } from '../../../core/project.ts';
import { DEMO_STORES } from '../../../local-access/demo-stores.ts';
import type { Page } from '../../gateway/gateway.ts';
import type { ApiResponse } from '../../gateway/response.ts';
import { htmlDocument, ownResponse } from '../parts/html-page.ts';

/** The package of this project has a copy of the files. */
const SWAGGER_UI = IS_PACKAGE
  ? join(ROOT, 'swagger-ui')
  : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const readSwaggerUi = (name: string): string => readFileSync(join(SWAGGER_UI, name), 'utf8');

/** The page loads from the stage alone, and sends requests and keys to the stage alone. */
const SOURCES = "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ";

/** The page to try the API. Its script enters the key, which is a demo key of the local stage. */
const PAGE = htmlDocument(
  { title: 'Try the API', current: '/docs', styles: ['header', 'explorer'] },
  markup`<link rel="stylesheet" href="/docs/swagger-ui.css">`,
  markup`<div id="content"><div id="swagger-ui" data-api-key="${DEMO_STORES[0]?.apiKey}"></div></div>
<noscript><p>This page needs JavaScript. The <a href="/guide/integrate.md">guide</a> and the <a href="/openapi.json">contract</a> need none.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/browser/explorer.js"></script>`,
);

const contract = async (baseUrl: string): Promise<ApiResponse> => {
  // Loaded at the first request, because a start of the stage needs no contract.
  const { contractDocument } = await import('../../../contract/document.ts');
  return ownResponse('application/json', JSON.stringify(contractDocument(baseUrl)));
};

/** Makes the function that finds the page to try the API, `/docs`, with Swagger UI, and the contract that it shows. */
export const explorerPages =
  (baseUrl: string) =>
  (path: string): Page | undefined => {
    switch (path) {
      case '/docs':
        return ownResponse('text/html', PAGE, { sources: SOURCES });
      case '/openapi.json':
        return () => contract(baseUrl);
      case '/docs/swagger-ui-bundle.js':
        return ownResponse('text/javascript', readSwaggerUi('swagger-ui-bundle.js'));
      case '/docs/swagger-ui.css':
        // In a layer, its rules yield to those of the page, whatever their selectors.
        return ownResponse('text/css', `@layer swagger-ui{${readSwaggerUi('swagger-ui.css')}}`);
      default:
        return undefined;
    }
  };
