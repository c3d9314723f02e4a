import { type KeylessOperation, keylessOperation } from '../../lib/http/keyless-pipeline.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { logNameOf } from '../operations.ts';
import { errorPages } from './error-pages.ts';

interface PageOperation extends Pick<KeylessOperation, 'now' | 'handle'> {
  /** The stage that the page of a missing cart names. */
  readonly stageName: string;
}

/** The pipeline of pages, which share a name in the log. A rejected request gets a page too. */
export const pageOperation = ({ stageName, ...options }: PageOperation): ProxyFunction =>
  keylessOperation({
    ...options,
    logName: logNameOf('openSandboxCheckout'),
    mode: 'test',
    errors: errorPages(stageName),
  });
