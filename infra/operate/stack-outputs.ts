import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { isDatabaseUnavailable as isUnreachable } from '../../lib/dynamodb.ts';
import { OperatorError } from '../operator-error.ts';
import { stackNameOf } from '../stages.ts';

/** What the stack of a stage tells of its resources, by the names of its outputs; some may be missing. */
export type StackOutputs = Readonly<Partial<Record<string, string>>>;

const REQUEST_TIMEOUT_MS = 3_000;

const deployHint = (stageName: string): string => `npx cdk deploy -c stage=${stageName}`;

/** The names under which AWS refuses credentials that are there. */
const REFUSED_CREDENTIALS = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'SignatureDoesNotMatch',
]);

/** The name of an error, whose class the SDK does not export. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** The region that the SDK would use: of the environment or of the profile. */
const findRegion = async (client: CloudFormationClient): Promise<string> => {
  try {
    return await client.config.region();
  } catch {
    throw new OperatorError(
      'No AWS region is set: set AWS_REGION, or AWS_PROFILE to a profile that has one.',
    );
  }
};

/** Makes a sentence of why a stack cannot be read; what it does not know, it returns. */
const explain = (error: unknown, stageName: string, region: string): unknown => {
  const stackName = stackNameOf(stageName);
  const name = nameOf(error);
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return new OperatorError(
      'No AWS credentials were found: set AWS_PROFILE, and sign in if it is a profile of AWS SSO.',
    );
  }
  if (REFUSED_CREDENTIALS.has(name)) {
    return new OperatorError(
      `AWS refuses these credentials (${name}): sign in again, or set another AWS_PROFILE.`,
    );
  }
  if (error instanceof CloudFormationServiceException && error.message.includes('does not exist')) {
    return new OperatorError(
      `The stage ${stageName} is not deployed in ${region}: deploy it with \`${deployHint(stageName)}\`, or set AWS_REGION and AWS_PROFILE to where it is.`,
    );
  }
  if (name === 'AccessDenied' || name === 'AccessDeniedException') {
    return new OperatorError(
      `These AWS credentials may not read the stack ${stackName} (cloudformation:DescribeStacks).`,
    );
  }
  if (isUnreachable(error)) {
    return new OperatorError(
      `CloudFormation does not answer in ${region}: check the network and AWS_REGION.`,
    );
  }
  if (error instanceof CloudFormationServiceException) {
    return new OperatorError(`CloudFormation answered ${name}: ${error.message.replaceAll(/\s+/g, ' ')}`);
  }
  return error;
};

const describeStack = async (stageName: string): Promise<Stack | undefined> => {
  const client = new CloudFormationClient({
    maxAttempts: 2,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const region = await findRegion(client);
  try {
    const command = new DescribeStacksCommand({ StackName: stackNameOf(stageName) });
    return (await client.send(command)).Stacks?.[0];
  } catch (error) {
    throw explain(error, stageName, region);
  } finally {
    client.destroy();
  }
};

/**
 * Reads the outputs of a deployed stage's stack, with the region and the credentials of the environment.
 *
 * @param stageName a safe one
 * @throws OperatorError if there is no such stack, it is being deleted, or it may not be read
 */
export const readStackOutputs = async (stageName: string): Promise<StackOutputs> => {
  const stack = await describeStack(stageName);
  const status = stack?.StackStatus ?? 'without status';
  if (status.startsWith('DELETE_')) {
    throw new OperatorError(
      `The stage ${stageName} is being deleted (its stack ${stackNameOf(stageName)} is ${status}).`,
    );
  }
  return Object.fromEntries(
    (stack?.Outputs ?? []).flatMap(({ OutputKey, OutputValue }) =>
      OutputKey === undefined || OutputValue === undefined ? [] : [[OutputKey, OutputValue]],
    ),
  );
};

/**
 * One output of a stage's stack.
 *
 * @throws OperatorError if the stack does not have it, because it is being created or is of an earlier release
 */
export const requireOutput = (outputs: StackOutputs, name: string, stageName: string): string => {
  const value = outputs[name];
  if (value !== undefined) return value;
  throw new OperatorError(
    `The stack ${stackNameOf(stageName)} has no output ${name}: it is not deployed to its end, or by an earlier release; run \`${deployHint(stageName)}\`.`,
  );
};
