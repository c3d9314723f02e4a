import { type KeylessOperation, keylessOperation } from '../../lib/http/keyless-pipeline.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { logNameOf, type OperationOf } from '../operations.ts';
import { errorPages } from './error-pages.ts';

interface PageOperation extends Pick<KeylessOperation, 'now' | 'handle'> {
  readonly name: OperationOf<'sandbox-checkout'>;
  /** The stage that the page of a missing cart names. */
  readonly stageName: string;
}

/** The pipeline of pages. A rejected request gets a page too. */
export const pageOperation = ({ name, stageName, ...options }: PageOperation): ProxyFunction =>
  keylessOperation({
    ...options,
    logName: logNameOf(name),
    mode: 'test',
    errors: errorPages(stageName),
  });
