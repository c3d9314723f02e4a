import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { IAMClient } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { OperatorError } from '../../../infra/operator-error.ts';
import type { Account } from './checks.ts';

/** The account and the region of a deployment. The partition of most regions is `aws`. */
export interface Caller {
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
}

/**
 * The account and the region of `AWS_PROFILE`.
 *
 * @throws OperatorError if the variable is not set: the default credentials may be those of production
 */
export const findCaller = async (): Promise<Caller> => {
  if ((process.env['AWS_PROFILE'] ?? '') === '') {
    throw new OperatorError(
      'Set AWS_PROFILE to a profile of an account without production, or add --emulator.',
    );
  }
  const sts = new STSClient({});
  const region = await sts.config.region().catch(() => {
    throw new OperatorError('No AWS region is set: set AWS_REGION, or a region in the profile.');
  });
  const { Account: accountId = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  return { accountId, region, partition: Arn.split(':')[1] ?? '' };
};

/** The resources of a stack. CloudFormation knows those of a deleted stack by its id. */
const listResources = async (
  client: CloudFormationClient,
  StackName: string,
): Promise<readonly StackResourceSummary[]> => {
  const resources: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    resources.push(...(page.StackResourceSummaries ?? []));
  }
  return resources;
};

/**
 * Destroys a stack, whatever its state is.
 *
 * @returns the number of its resources before
 * @throws Error with the names of those that are left
 */
export const destroyStack = async (
  client: CloudFormationClient,
  stackName: string,
  destroy: () => Promise<void>,
): Promise<number> => {
  const described = client.send(new DescribeStacksCommand({ StackName: stackName }));
  const stackId = await described.then(
    ({ Stacks }) => Stacks?.[0]?.StackId,
    (error: unknown) => {
      if (!String(error).includes('does not exist')) throw error;
    },
  );
  if (stackId === undefined) return 0;
  const { length } = await listResources(client, stackId);
  await destroy().catch((error: unknown) => console.error(String(error)));
  const left = (await listResources(client, stackId)).filter(
    ({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE',
  );
  if (left.length === 0) return length;
  const names = left.map(
    ({ ResourceType, PhysicalResourceId = '' }) => `${ResourceType} ${PhysicalResourceId}`,
  );
  throw new Error([`Delete the stack ${stackName} and these resources by hand:`, ...names].join('\n'));
};

/** The clients and the names by which checks examine a deployed stack. */
export const openAccount = async (
  client: CloudFormationClient,
  { accountId, region, partition }: Caller,
  stackName: string,
): Promise<Omit<Account, 'redeploy'>> => {
  const resources = await listResources(client, stackName);
  return {
    dynamodb: new DynamoDBClient({ region }),
    iam: new IAMClient({ region }),
    lambda: new LambdaClient({ region }),
    resource: (id) => {
      const isNamed = new RegExp(`^${id}[0-9A-F]{8}$`);
      const found = resources.find(({ LogicalResourceId = '' }) => isNamed.test(LogicalResourceId));
      if (found?.PhysicalResourceId !== undefined) return found.PhysicalResourceId;
      throw new Error(`The stack ${stackName} has no resource ${id}`);
    },
    // IAM has no regions.
    arnOf: (service, name) =>
      ['arn', partition, service, service === 'iam' ? '' : region, accountId, name].join(':'),
  };
};
