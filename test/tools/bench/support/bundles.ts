import { type OperationName, OPERATIONS } from '../../../../functions/operations.ts';
import { BUNDLE_FORMAT } from '../../../../infra/stack/functions/bundling.ts';
import { BundleStack } from '../../../support/stack/bundle-stack.ts';
import { makeTemporaryFolder } from './environment.ts';
import { bareFileOf, BENCH_OPERATIONS } from './operations.ts';

/** The bundles of an operation's function, as it is deployed, and of its bare counterpart on the unmodified SDK. */
export interface BundlePair {
  readonly operation: OperationName;
  readonly deployed: string;
  readonly bare: string;
}

/** Bundles each operation's function and its bare counterpart. */
export const bundlePairs = (): BundlePair[] => {
  const stack = new BundleStack(makeTemporaryFolder());
  const lambdas = BENCH_OPERATIONS.map((operation) => {
    const { functionName } = OPERATIONS[operation];
    const deployed = stack.addFunction(functionName);
    const bare = stack.addFile(`bare-${functionName}`, bareFileOf(functionName), BUNDLE_FORMAT, deployed);
    return { operation, deployed, bare };
  });
  const written = stack.write();
  return lambdas.map(({ operation, deployed, bare }) => ({
    operation,
    deployed: written(deployed).file,
    bare: written(bare).file,
  }));
};
