import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import {
  areCredentialsRejected,
  hasNoCredentials,
  isAccessDenied,
  isUnavailable,
} from '../../lib/core/errors.ts';
import { OperatorError } from '../operator-error.ts';
import { stackNameOf } from '../stages.ts';

/** The outputs of a stage's stack, by name. */
export type StackOutputs = Readonly<Partial<Record<string, string>>>;

const REQUEST_TIMEOUT_MS = 3_000;

const deployHint = (stageName: string): string => `npx cdk deploy -c stage=${stageName}`;

/** The sentence for an error that the operator can fix, or `undefined` for any other error. */
const explain = (error: unknown, stageName: string, region: string): string | undefined => {
  if (hasNoCredentials(error)) {
    return 'No AWS credentials were found: set AWS_PROFILE, and sign in if the profile uses AWS SSO.';
  }
  if (areCredentialsRejected(error)) {
    return `AWS rejects these credentials (${(error as Error).name}): sign in again, or set another AWS_PROFILE.`;
  }
  if (error instanceof CloudFormationServiceException && error.message.includes('does not exist')) {
    return `The stage ${stageName} is not deployed in ${region}: deploy it with \`${deployHint(stageName)}\`, or set AWS_REGION and AWS_PROFILE to its region and account.`;
  }
  if (isAccessDenied(error)) {
    return `These AWS credentials may not read the stack ${stackNameOf(stageName)}: allow cloudformation:DescribeStacks.`;
  }
  return isUnavailable(error)
    ? `CloudFormation does not respond in ${region}: check the network and AWS_REGION.`
    : undefined;
};

const describeStack = async (stageName: string): Promise<Stack | undefined> => {
  const client = new CloudFormationClient({
    maxAttempts: 2,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const region = await client.config.region().catch(() => {
    throw new OperatorError(
      'No AWS region is set: set AWS_REGION, or AWS_PROFILE to a profile with a region.',
    );
  });
  try {
    const command = new DescribeStacksCommand({ StackName: stackNameOf(stageName) });
    return (await client.send(command)).Stacks?.[0];
  } catch (error) {
    const reason = explain(error, stageName, region);
    throw reason === undefined ? error : new OperatorError(reason);
  } finally {
    client.destroy();
  }
};

/**
 * Reads the outputs of a deployed stage's stack, with the region and the credentials of the environment.
 *
 * @param stageName a safe name
 * @throws OperatorError if the stack does not exist, is being deleted, or cannot be read
 */
export const readStackOutputs = async (stageName: string): Promise<StackOutputs> => {
  const { StackStatus: status = '', Outputs: outputs = [] } = (await describeStack(stageName)) ?? {};
  if (status.startsWith('DELETE_')) {
    throw new OperatorError(
      `The stage ${stageName} is being deleted: its stack ${stackNameOf(stageName)} is ${status}.`,
    );
  }
  return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]));
};

/**
 * One output of a deployed stage's stack.
 *
 * @throws OperatorError if the stack lacks it, because it is still being created or comes from an older release
 */
export const outputOf = (
  { name, outputs }: { readonly name: string; readonly outputs?: StackOutputs },
  output: string,
): string => {
  const value = outputs?.[output];
  if (value !== undefined) return value;
  throw new OperatorError(
    `The stack ${stackNameOf(name)} has no output ${output}: its deployment is incomplete or old. Run \`${deployHint(name)}\`.`,
  );
};
