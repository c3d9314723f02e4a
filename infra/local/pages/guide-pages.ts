import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markup } from '../../../lib/sandbox/markup.ts';
import type { Page } from '../gateway/gateway.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { htmlPage, ownResponse } from './html-page.ts';

const FOLDER = join(import.meta.dirname, '../../../docs');

const PREFIX = '/guide/';

/** The documents for merchants' developers, in their order. */
const GUIDES = [
  ['integrate.md', 'Integrate'],
  ['contract.md', 'Contract'],
  ['events.md', 'Events'],
  ['decisions.md', 'Decisions'],
] as const;

/** The files of the folder itself, and the programs below it. An example that runs there keeps events beside it. */
const SERVED = /^(?:[\w-]+\.\w+|(?:[\w-]+\/)+[\w-]+\.(?:html|md|mjs|php|py|ts))$/;

/** Each served file by its path in the folder. A path from a request only selects one of these. */
const FILES: ReadonlySet<string> = new Set(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => SERVED.test(path)),
);

const GUIDE_LINKS = markup`<nav aria-label="Guide"><ul>${GUIDES.map(
  ([name, text]) => markup`<li><a href="${PREFIX}${name}">${text}</a></li>`,
)}</ul></nav>`;

const renderDocument = async (path: string): Promise<ApiResponse> => {
  // Loaded with the first document: it would delay the start of the stage.
  const { renderMarkdown } = await import('./markdown.ts');
  const { title, headings, content } = renderMarkdown(readFileSync(join(FOLDER, path), 'utf8'), path);
  const links = headings.map(({ text, anchor }) => markup`<li><a href="#${anchor}">${text}</a></li>`);
  return htmlPage(
    title,
    markup`<section>${GUIDE_LINKS}
<nav aria-label="Sections"><ul>${links}</ul></nav></section>
<section><article>${content}</article></section>`,
  );
};

/**
 * Finds a page of the guide: the documents of the folder `docs` as HTML, and its programs as text, by the paths of their
 * files. Each request reads the file anew.
 */
export const guidePage = (path: string): Page | undefined => {
  if (path === '/guide' || path === PREFIX) {
    return async () => ({ status: 302, headers: [['Location', `${PREFIX}${GUIDES[0][0]}`]], body: '' });
  }
  const file = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  if (!FILES.has(file)) return undefined;
  if (file.endsWith('.md')) return () => renderDocument(file);
  return async () => ownResponse('text/plain', readFileSync(join(FOLDER, file)));
};
