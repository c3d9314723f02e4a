import { CfnMapping, CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Release } from '../stage/release.ts';
import type { StageValues } from '../stage/stage-values.ts';

/** The values and the release of a stage's last deployment. */
export interface DeploymentRecord {
  readonly values: StageValues;
  readonly release: Release;
}

/**
 * Adds the outputs with the values and the release of the stage. CloudFormation limits an exported output to 1,024 characters, but
 * no other one. All outputs of a stack may have about 450,000: https://github.com/aws-amplify/amplify-backend/pull/946
 *
 * @returns the commit, for the environment of functions. It is a reference, so it is not part of the hash of a function's version:
 *   a release that changes nothing else of a function publishes no version. Its log lines then have the commit of the version.
 */
export const addDeploymentRecord = (stack: Stack, { values, release }: DeploymentRecord): string => {
  new CfnOutput(stack, 'StageValues', { value: JSON.stringify(values) });
  new CfnOutput(stack, 'Release', { value: JSON.stringify(release) });
  const mapping = { release: { commit: release.commit } };
  return new CfnMapping(stack, 'Commit', { mapping, lazy: false }).findInMap('release', 'commit');
};
