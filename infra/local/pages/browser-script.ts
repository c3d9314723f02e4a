import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiResponse } from '../gateway/response.ts';
import { ownResponse } from './html-page.ts';

/** A script that runs in the browser, from the folder `browser/`. */
export const browserScript = (name: string): ApiResponse =>
  ownResponse('text/javascript; charset=utf-8', readFileSync(join(import.meta.dirname, 'browser', name)));
