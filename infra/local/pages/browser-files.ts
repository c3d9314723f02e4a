import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ICON } from '../../../lib/pages/icon.ts';
import { PILLS } from '../../../lib/pages/stylesheet.ts';
import { ROOT } from '../../core/project.ts';
import { HEADER_STYLE, PAGE_STYLE } from '../../errors-page/page-frame.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { ownResponse } from './parts/html-page.ts';

const FOLDER = join(ROOT, 'infra/local/pages/browser');

const MEDIA_TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' };

/** The scripts and styles of the pages. A request can select only one of these, by its path. */
const FILES: ReadonlySet<string> = new Set(
  readdirSync(FOLDER).filter((name) => extname(name) in MEDIA_TYPES),
);

/** The style of the navigation, which the page of errors of a deployed stage lacks. */
const NAVIGATION_STYLE = `
header ul { display: flex; flex-wrap: wrap; gap: 0 .125rem; margin: 0 -.375rem; padding: 0; list-style: none; }
header li a { display: block; padding: .25rem .375rem; color: var(--soft); font-size: .9375rem; text-decoration: none; }
header li a:hover { color: var(--ink); text-decoration: underline; text-underline-offset: .5em; }
header a[aria-current] { color: var(--accent); font-weight: 600; text-decoration: underline 2px; text-underline-offset: .5em; }
.skip { position: absolute; z-index: 3; inset: .5rem auto auto .5rem; padding: .5rem 1rem; border-radius: .5rem; background: var(--accent); color: var(--accent-ink); white-space: nowrap; }
.skip:not(:focus) { clip-path: inset(50%); }`;

/** Styles by their names: those of the page of errors, with what the other pages add. */
const COMPOSED_STYLES: ReadonlyMap<string, string> = new Map([
  ['header.css', HEADER_STYLE + NAVIGATION_STYLE],
  ['page.css', PAGE_STYLE + NAVIGATION_STYLE + PILLS],
]);

/** Finds a script or a style, `/browser/{name}`, and the icon. */
export const browserFiles = (path: string): ApiResponse | undefined => {
  // Browsers ask for it beside the contract and the programs, which are no pages.
  if (path === '/favicon.ico') return ownResponse('image/svg+xml', ICON.toString());
  const [, name = ''] = /^\/browser\/(.+)$/.exec(path) ?? [];
  const style = COMPOSED_STYLES.get(name);
  if (style !== undefined) return ownResponse('text/css', style);
  return FILES.has(name)
    ? ownResponse(MEDIA_TYPES[extname(name)] ?? '', readFileSync(join(FOLDER, name), 'utf8'))
    : undefined;
};
