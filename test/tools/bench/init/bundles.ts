import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BundlingOptions, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { BUNDLE_FORMAT, BUNDLING } from '../../../../infra/stack/bundling.ts';
import { BundleStack } from '../../../support/bundle-stack.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

/** A bundle as Lambda would load it. */
export interface Bundle {
  readonly name: string;
  /** The bundle's one JavaScript file; its source map lies beside it. */
  readonly file: string;
  readonly kilobytes: number;
}

export interface Bundles {
  /** The document client as it comes, and nothing else. */
  readonly floor: Bundle;
  readonly functions: readonly Bundle[];
  /** The document client as it is deployed. */
  readonly deployedClient: Bundle;
  /** That client with one thing more that the functions use. */
  readonly additions: readonly Bundle[];
  /** What the functions' environment sets for Node.js itself. */
  readonly nodeOptions: string;
}

/** Bundles every function, and what to compare them with. */
export const makeBundles = (): Bundles => {
  const stack = new BundleStack(makeTemporaryFolder());
  const getCart = stack.addFunction('get-cart');
  const functions = {
    'get-cart': getCart,
    'create-cart-checkout': stack.addFunction('create-cart-checkout'),
    'record-payment': stack.addFunction('record-payment'),
    'sandbox-checkout': stack.addFunction('sandbox-checkout'),
  };
  const add = (id: string, file: string, bundling: BundlingOptions): NodejsFunction =>
    stack.addFile(id, join(import.meta.dirname, 'entries', `${file}.ts`), bundling, getCart);
  const floor = add('floor', 'document-client', BUNDLE_FORMAT);
  const deployedClient = add('document-client', 'document-client', BUNDLING);
  const additions = {
    '+ Middy': add('with-middy', 'with-middy', BUNDLING),
    '+ zod/mini, a cart request': add('with-zod', 'with-zod', BUNDLING),
    '+ zod/mini, telemetry': add('with-telemetry', 'with-telemetry', BUNDLING),
  };

  const deployed = stack.write();
  const toBundle = (name: string, lambda: NodejsFunction): Bundle => {
    const { file } = deployed(lambda);
    return { name, file, kilobytes: statSync(file).size / 1_000 };
  };
  const toBundles = (lambdas: Readonly<Record<string, NodejsFunction>>): Bundle[] =>
    Object.entries(lambdas).map(([name, lambda]) => toBundle(name, lambda));
  return {
    floor: toBundle('document client', floor),
    functions: toBundles(functions),
    deployedClient: toBundle('document client, as deployed', deployedClient),
    additions: toBundles(additions),
    nodeOptions: deployed(getCart).nodeOptions ?? '',
  };
};
