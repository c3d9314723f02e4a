import { type KeylessOperation, keylessOperation } from '../http/keyless-pipeline.ts';
import type { ProxyFunction } from '../http/pipeline.ts';
import { errorPages } from './error-pages.ts';

/** The pipeline of pages. A rejected request gets a page too. */
export const pageOperation = (
  options: Pick<KeylessOperation, 'operation' | 'now' | 'handle'>,
): ProxyFunction => keylessOperation({ ...options, mode: 'test', errors: errorPages() });
