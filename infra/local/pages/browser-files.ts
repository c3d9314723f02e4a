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

/** The styles that the pages of deployed stages share. */
const SHARED_STYLES: ReadonlyMap<string, string> = new Map([
  ['header.css', HEADER_STYLE],
  ['page.css', PAGE_STYLE + PILLS],
]);

/** Finds a script or a style, `/browser/{name}`, and the icon. */
export const browserFiles = (path: string): ApiResponse | undefined => {
  // Browsers ask for it beside the contract and the programs, which are no pages.
  if (path === '/favicon.ico') return ownResponse('image/svg+xml', ICON.toString());
  const [, name = ''] = /^\/browser\/(.+)$/.exec(path) ?? [];
  const style = SHARED_STYLES.get(name);
  if (style !== undefined) return ownResponse('text/css', style);
  return FILES.has(name)
    ? ownResponse(MEDIA_TYPES[extname(name)] ?? '', readFileSync(join(FOLDER, name), 'utf8'))
    : undefined;
};
