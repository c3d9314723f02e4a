import { operation, type OperationOptions, type ProxyFunction } from '../../lib/http/pipeline.ts';
import { logNameOf, type OperationOf } from '../operations.ts';
import { errorPages } from './error-pages.ts';

interface PageOperation extends Pick<OperationOptions, 'now' | 'handle'> {
  readonly name: OperationOf<'sandbox-checkout'>;
  /** The stage that the page of a missing cart names. */
  readonly stageName: string;
}

/** An operation with pages, also for a rejected request. Everyone with a cart's address may use it. */
export const pageOperation = ({ name, stageName, ...options }: PageOperation): ProxyFunction =>
  operation({
    ...options,
    logName: logNameOf(name),
    mode: 'test',
    errors: errorPages(stageName),
  });
