import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { OperatorError } from '../../../infra/operator-error.ts';
import type { Account } from './checks.ts';

/** Who deploys, and where. */
export interface Caller {
  readonly accountId: string;
  readonly region: string;
  /** Such as `aws`, or `aws-cn` in China. */
  readonly partition: string;
}

/**
 * The account and the region of `AWS_PROFILE`.
 *
 * @throws OperatorError if the variable is not set. No other credentials of the environment are used by accident
 */
export const findCaller = async (): Promise<Caller> => {
  if ((process.env['AWS_PROFILE'] ?? '') === '') {
    throw new OperatorError(
      'Set AWS_PROFILE to the profile of an account for stages, or use the emulator with --emulator.',
    );
  }
  const sts = new STSClient({});
  const region = await sts.config.region().catch(() => {
    throw new OperatorError('No AWS region is set: set AWS_REGION, or a region in the profile.');
  });
  const { Account: accountId = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  return { accountId, region, partition: Arn.split(':')[1] ?? '' };
};

/** A resource of a stack. */
interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  readonly name: string;
  readonly status: string;
}

const listResources = async (client: CloudFormationClient, stack: string): Promise<StackResource[]> => {
  const resources: StackResource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: stack },
  )) {
    for (const {
      LogicalResourceId,
      ResourceType,
      PhysicalResourceId,
      ResourceStatus,
    } of StackResourceSummaries) {
      resources.push({
        logicalId: LogicalResourceId ?? '',
        type: ResourceType ?? '',
        name: PhysicalResourceId ?? '',
        status: ResourceStatus ?? '',
      });
    }
  }
  return resources;
};

/** The stack's id, by which CloudFormation also knows a deleted stack. `undefined` if there is no stack. */
const findStackId = async (client: CloudFormationClient, stackName: string): Promise<string | undefined> => {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName: stackName }))).Stacks?.[0]?.StackId;
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
};

/**
 * Destroys a stack, whatever its state is.
 *
 * @returns the type and the name of each resource that is left
 */
export const destroyStack = async (
  client: CloudFormationClient,
  stackName: string,
  destroy: () => Promise<void>,
): Promise<readonly string[]> => {
  const stackId = await findStackId(client, stackName);
  if (stackId === undefined) return [];
  // CloudFormation knows better than the CDK what is left.
  await destroy().catch((error: unknown) => console.error(String(error)));
  const resources = await listResources(client, stackId);
  return resources.flatMap(({ type, name, status }) =>
    status === 'DELETE_COMPLETE' ? [] : [`${type} ${name}`],
  );
};

/** The clients and the names by which checks examine a deployed stack. */
export const openAccount = async (
  client: CloudFormationClient,
  { accountId, region, partition }: Caller,
  stackName: string,
): Promise<Omit<Account, 'redeploy'>> => {
  const resources = await listResources(client, stackName);
  return {
    iam: new IAMClient({}),
    lambda: new LambdaClient({}),
    resource: (id) => {
      const found = resources.find(({ logicalId }) => logicalId.replace(/[0-9A-F]{8}$/, '') === id);
      if (found) return found.name;
      throw new Error(`The stack ${stackName} has no resource ${id}.`);
    },
    arnOf: (service, name) =>
      `arn:${partition}:${service}:${service === 'iam' ? '' : region}:${accountId}:${name}`,
  };
};
