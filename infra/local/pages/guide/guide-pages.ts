import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { inlineSource } from '../../../../lib/pages/inline-source.ts';
import { markup } from '../../../../lib/pages/markup.ts';
import { ROOT } from '../../../core/project.ts';
import type { Page } from '../../gateway/gateway.ts';
import type { ApiResponse } from '../../gateway/response.ts';
import { codeBlock } from '../parts/code.ts';
import { htmlPage, ownResponse } from '../parts/html-page.ts';
import { contentsOf, neighboursOf, type ReadDocument } from './contents.ts';

const FOLDER = join(ROOT, 'docs');

const PREFIX = '/guide/';

/** The same files as they are, for programs. */
const SOURCE_PREFIX = '/markdown/';

const INDEX = 'llms.txt';

const FIRST = '/guide/integrate.md';

/**
 * The files of the folder itself, its diagrams, and the programs below it. An example that runs there keeps events beside it, and
 * packages, whose Markdown is from outside.
 */
export const SERVED =
  /^(?:[\w-]+\.\w+|(?!.*(?:node_modules|vendor)\/)(?:[\w-]+\/)+[\w-]+\.(?:html|md|mjs|php|py|svg|ts))$/;

/** Each served file by its path in the folder. A path from a request only selects one of these. */
const FILES: ReadonlySet<string> = new Set(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => SERVED.test(path)),
);

/** A link to a file outside the folder, which the stage does not serve. */
const OUTSIDE_LINK = /\[([^\]]+)\]\(\.\.\/[^)]*\)/g;

/** The address of the local stage in the documents. */
const DOCUMENTED_URL = /http:\/\/(?:127\.0\.0\.1|localhost):3000(?!\d)/g;

const SEARCH = markup`<div role="search" class="scripted">
<input type="search" id="search" aria-label="Search the guide" placeholder="Search the guide" autocomplete="off">
<div id="found"></div>
<p id="found-count" class="unseen" role="status"></p>
</div>`;

const renderDocument = async (path: string, read: ReadDocument): Promise<ApiResponse> => {
  // Loaded with the first document: it would delay the start of the stage.
  const { renderMarkdown } = await import('./markdown.ts');
  const document = renderMarkdown(read(path), path, read);
  const name = basename(path, '.md');
  const source = `${SOURCE_PREFIX}${path}`;
  return htmlPage({
    title: document.title,
    current: FIRST,
    scripts: ['copy', 'languages', 'guide'],
    styles: ['guide'],
    hasImages: true,
    // The stylesheet unfolds the contents in a wide window.
    content: markup`<div class="guide">
<div class="side">${SEARCH}<details class="contents"><summary>Contents</summary>${contentsOf(name, document.headings, read)}</details></div>
<section><p class="row"><span class="scripted"><button type="button" data-source="${source}">Copy as Markdown</button><span class="copied" role="status"></span></span>
<a href="${source}" rel="alternate" type="text/markdown">View as Markdown</a></p>
<article>${document.content}</article>${neighboursOf(name, read)}</section>
</div>`,
  });
};

/** A program of the examples, with a button that copies it. */
const renderProgram = (path: string, text: string): ApiResponse =>
  htmlPage({
    title: basename(path),
    current: FIRST,
    scripts: ['copy'],
    styles: ['guide'],
    content: markup`<section><p><a href="${FIRST}">← The guide</a> · <a href="${SOURCE_PREFIX}${path}">This file alone</a></p>
<article>${codeBlock('program', basename(path), text)}</article></section>`,
  });

/** A diagram has its styles within it: for the light and the dark scheme. */
const renderDiagram = (svg: string): ApiResponse => {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(svg) ?? [];
  return ownResponse('image/svg+xml', svg, { sources: `style-src ${inlineSource(style)}; ` });
};

/** The response with a file, by the extension of its name. */
const renderFile = async (path: string, read: ReadDocument): Promise<ApiResponse> => {
  switch (extname(path)) {
    case '.md':
      return renderDocument(path, read);
    case '.svg':
      return renderDiagram(read(path));
    case '.html':
    case '.mjs':
    case '.php':
    case '.py':
    case '.ts':
      return renderProgram(path, read(path));
    default:
      return ownResponse('text/plain', read(path));
  }
};

const sourceOf = (path: string, read: ReadDocument): ApiResponse =>
  path.endsWith('.md')
    ? ownResponse('text/markdown', read(path).replaceAll(OUTSIDE_LINK, '$1'))
    : ownResponse('text/plain', read(path));

const renderIndex = async (read: ReadDocument): Promise<ApiResponse> => {
  const { searchIndex } = await import('./search-index.ts');
  return ownResponse('application/json', JSON.stringify(searchIndex(read)));
};

/**
 * Makes the function that finds a page of the guide: the documents of the folder `docs` as HTML or Markdown, its programs and
 * diagrams, the index of the search, and `/llms.txt`, which links to the Markdown. Each request reads the file anew. The pages
 * have the stage's own address.
 */
export const guidePages =
  (baseUrl: string) =>
  (path: string): Page | undefined => {
    if (path === '/guide' || path === PREFIX) {
      return async () => ({ status: 302, headers: [['Location', FIRST]], body: '' });
    }
    const read = (file: string): string =>
      readFileSync(join(FOLDER, file), 'utf8').replaceAll(DOCUMENTED_URL, baseUrl);
    if (path === '/guide/search.json') return () => renderIndex(read);
    if (path === `/${INDEX}`) {
      const links = `](${baseUrl}${SOURCE_PREFIX}`;
      return async () => ownResponse('text/plain', read(INDEX).replaceAll('](', links));
    }
    const prefix = [PREFIX, SOURCE_PREFIX].find((start) => path.startsWith(start));
    const file = path.slice(prefix?.length);
    if (prefix === undefined || !FILES.has(file)) return undefined;
    return async () => (prefix === PREFIX ? renderFile(file, read) : sourceOf(file, read));
  };
