import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ICON } from '../../../lib/pages/icon.ts';
import { ROOT } from '../../core/project.ts';
import type { ApiResponse } from '../gateway/response.ts';
import { ownResponse } from './parts/html-page.ts';

const FOLDER = join(ROOT, 'infra/local/pages/browser');

/** The scripts of the pages. A path from a request only selects one of these. */
const SCRIPTS: ReadonlySet<string> = new Set(readdirSync(FOLDER).filter((name) => name.endsWith('.js')));

/** Finds a script, `/browser/{name}`, and the icon. */
export const browserFiles = (path: string): ApiResponse | undefined => {
  // Browsers ask for it beside the contract and the programs, which are no pages.
  if (path === '/favicon.ico') return ownResponse('image/svg+xml', ICON.toString());
  const [, name = ''] = /^\/browser\/(.+)$/.exec(path) ?? [];
  return SCRIPTS.has(name)
    ? ownResponse('text/javascript', readFileSync(join(FOLDER, name), 'utf8'))
    : undefined;
};
