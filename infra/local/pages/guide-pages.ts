import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { ROOT } from '../../terminal/project.ts';
import type { Page } from '../gateway/gateway.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { htmlPage, ownResponse } from './html-page.ts';
import type { Document } from './markdown.ts';

const FOLDER = join(ROOT, 'docs');

const PREFIX = '/guide/';

/** The same files as they are, for programs. */
const SOURCE_PREFIX = '/markdown/';

const INDEX = 'llms.txt';

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
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => SERVED.test(path)),
);

/** A link to a file outside the folder, which the stage does not serve. */
const OUTSIDE_LINK = /\[([^\]]+)\]\(\.\.\/[^)]*\)/g;

/** The address of the local stage in the documents. */
const DOCUMENTED_URL = /http:\/\/(?:127\.0\.0\.1|localhost):3000(?!\d)/g;

/** The links to the documents, and to the sections of this one. A document that is not listed comes last. */
const contentsOf = (path: string, { title, headings }: Document): Markup => {
  const listed = GUIDES.some(([name]) => name === path) ? GUIDES : [...GUIDES, [path, title] as const];
  const sections = headings.map(({ text, anchor }) => markup`<li><a href="#${anchor}">${text}</a></li>`);
  return markup`<nav aria-label="Guide"><ul>${listed.map(([name, text]) =>
    name === path
      ? markup`<li><a href="${PREFIX}${name}" aria-current="page">${text}</a><ul>${sections}</ul></li>`
      : markup`<li><a href="${PREFIX}${name}">${text}</a></li>`,
  )}</ul></nav>`;
};

const renderDocument = async (path: string, text: string): Promise<ApiResponse> => {
  // Loaded with the first document: it would delay the start of the stage.
  const { renderMarkdown } = await import('./markdown.ts');
  const document = renderMarkdown(text, path);
  return htmlPage({
    title: document.title,
    current: '/guide/integrate.md',
    scripts: ['/copy.js', '/languages.js'],
    // The stylesheet unfolds the contents in a wide window.
    content: markup`<div class="guide">
<details class="contents"><summary>Contents</summary>${contentsOf(path, document)}</details>
<section><article>${document.content}</article>
<p><a href="${SOURCE_PREFIX}${path}" rel="alternate" type="text/markdown">This page as Markdown</a></p></section>
</div>`,
  });
};

/**
 * Makes the function that finds a page of the guide: the documents of the folder `docs` as HTML or Markdown, its other files as
 * text, and `/llms.txt`, which links to the Markdown. Each request reads the file anew. The pages have the stage's own address.
 */
export const guidePages =
  (baseUrl: string) =>
  (path: string): Page | undefined => {
    if (path === '/guide' || path === PREFIX) {
      return async () => ({ status: 302, headers: [['Location', `${PREFIX}${GUIDES[0][0]}`]], body: '' });
    }
    const read = (file: string): string =>
      readFileSync(join(FOLDER, file), 'utf8').replaceAll(DOCUMENTED_URL, baseUrl);
    if (path === `/${INDEX}`) {
      const links = `](${baseUrl}${SOURCE_PREFIX}`;
      return async () => ownResponse('text/plain', read(INDEX).replaceAll('](', links));
    }
    const prefix = [PREFIX, SOURCE_PREFIX].find((start) => path.startsWith(start));
    const file = path.slice(prefix?.length);
    if (prefix === undefined || !FILES.has(file)) return undefined;
    if (!file.endsWith('.md')) return async () => ownResponse('text/plain', read(file));
    return async () =>
      prefix === PREFIX
        ? renderDocument(file, read(file))
        : ownResponse('text/markdown', read(file).replaceAll(OUTSIDE_LINK, '$1'));
  };
