import {
  type CloudFormationClient,
  CloudFormationServiceException,
  paginateDescribeStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { stackNameOf } from '../../stage/stage-name.ts';
import { closestName } from '../../terminal/closest-name.ts';
import { explainCall } from '../../terminal/explain-error.ts';
import { placeOf } from './stack-place.ts';

/** The most stages in a sentence. */
const LISTED_MAX = 20;

const STACK_PREFIX = stackNameOf('');

/** All stacks of the region and account. Empty if the operator may not list them. */
const listStacks = async (client: CloudFormationClient): Promise<readonly Stack[]> => {
  const stacks: Stack[] = [];
  try {
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) stacks.push(...Stacks);
  } catch {
    // The missing stage is the reason of the command's failure.
  }
  return stacks;
};

/** The stage that a name most likely means: a near name, or one that begins with the other. */
const meantStage = (name: string, names: readonly string[]): string | undefined =>
  closestName(name, names) ?? names.find((other) => name.startsWith(other) || other.startsWith(name));

/** The sentence for a stage that is not deployed, with those that are. */
const notDeployed = (name: string, region: string, stacks: readonly Stack[]): string => {
  const sentence = `The stage ${name} is not deployed in ${placeOf(stacks[0]?.StackId) ?? region}`;
  const names = stacks
    .flatMap(({ StackName = '' }) =>
      StackName.startsWith(STACK_PREFIX) ? StackName.slice(STACK_PREFIX.length) : [],
    )
    .toSorted();
  const listed = names.length > LISTED_MAX ? [...names.slice(0, LISTED_MAX), '…'] : names;
  const meant = meantStage(name, names);
  if (meant !== undefined) return `${sentence}: did you mean ${meant}? Its stages are ${listed.join(', ')}.`;
  const found = names.length === 0 ? '' : `, whose stages are ${listed.join(', ')}`;
  return `${sentence}${found}: set AWS_REGION and AWS_PROFILE to its region and account, or deploy it.`;
};

/**
 * The sentence for a stage's stack that cannot be read, or `undefined` for an unexpected error.
 *
 * @param client lists the stacks if the stage's own does not exist
 */
export const explainStack = async (
  error: unknown,
  name: string,
  client: CloudFormationClient,
  region: string,
): Promise<string | undefined> => {
  // CloudFormation has no error of its own for a missing stack, and the name is valid.
  if (error instanceof CloudFormationServiceException && error.name === 'ValidationError') {
    return notDeployed(name, region, await listStacks(client));
  }
  const place = { at: ` in ${region}`, remedy: 'the network, its proxies and AWS_REGION' };
  return explainCall(error, 'CloudFormation', place);
};
