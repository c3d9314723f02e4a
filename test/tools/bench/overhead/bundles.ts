import { join } from 'node:path';
import { BUNDLING } from '../../../../infra/stack/bundling.ts';
import type { HttpFunctionName } from '../../../../functions/operations.ts';
import { BundleStack } from '../../../support/bundle-stack.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

/** The functions that a store's API key opens. */
export const API_FUNCTIONS = ['create-cart-checkout', 'get-cart'] as const satisfies HttpFunctionName[];

export type ApiFunction = (typeof API_FUNCTIONS)[number];

export interface BundlePair {
  readonly functionName: ApiFunction;
  /** The deployed bundle's file, and that of the bare function that is bundled in the same way. */
  readonly files: { readonly deployed: string; readonly bare: string };
  readonly nodeOptions: string;
}

/** Bundles the API's functions, and their bare counterparts. */
export const makeBundlePairs = (): BundlePair[] => {
  const stack = new BundleStack(makeTemporaryFolder());
  const lambdas = API_FUNCTIONS.map((functionName) => {
    const deployed = stack.addFunction(functionName);
    const entry = join(import.meta.dirname, '../bare', `${functionName}.ts`);
    return { functionName, deployed, bare: stack.addFile(`bare-${functionName}`, entry, BUNDLING, deployed) };
  });
  const written = stack.write();
  return lambdas.map(({ functionName, deployed, bare }) => ({
    functionName,
    files: { deployed: written(deployed).file, bare: written(bare).file },
    nodeOptions: written(deployed).nodeOptions ?? '',
  }));
};
