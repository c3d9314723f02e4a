import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { IAMClient, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { until } from '../../../infra/operate/shared/until.ts';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import { isAccessDenied } from '../../../lib/aws/errors.ts';
import { hasFailed, reasonsOf, type TransactItem } from '../../../lib/events/event-transaction.ts';
import type { Account } from './checked-stage.ts';

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

/** Sends a transaction whose condition fails. */
export const transact = async (
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  TransactItems: TransactItem[],
): Promise<'permitted' | 'denied'> => {
  try {
    await documents.send(new TransactWriteCommand({ TransactItems }));
  } catch (error) {
    if (isAccessDenied(error)) return 'denied';
    if (reasonsOf(error).some(hasFailed)) return 'permitted';
    throw error;
  }
  throw new Error('The transaction wrote an item, although its condition does not hold');
};

/** A session of a role lasts as long at least. */
const SESSION_SECONDS = 900;

/** IAM takes some seconds to apply a change everywhere. */
const PROPAGATION_SECONDS = 120;

/**
 * Lets this account take on the role of a function too, and takes it on. The stage is destroyed afterwards.
 */
const assumeRoleIn =
  ({ accountId, region, partition }: Caller, iam: IAMClient): Account['assumeRole'] =>
  async (RoleName) => {
    const principals = [
      { Service: 'lambda.amazonaws.com' },
      { AWS: `arn:${partition}:iam::${accountId}:root` },
    ];
    const PolicyDocument = JSON.stringify({
      Version: '2012-10-17',
      Statement: principals.map((Principal) => ({ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' })),
    });
    await iam.send(new UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument }));
    const sts = new STSClient({ region });
    const command = new AssumeRoleCommand({
      RoleArn: `arn:${partition}:iam::${accountId}:role/${RoleName}`,
      RoleSessionName: 'rights-check',
      DurationSeconds: SESSION_SECONDS,
    });
    const session = await until({ sleep }, PROPAGATION_SECONDS, async () => {
      try {
        return (await sts.send(command)).Credentials;
      } catch (error) {
        if (isAccessDenied(error)) return undefined;
        throw error;
      }
    });
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = session ?? {};
    assert(AccessKeyId !== '', `The role ${RoleName} cannot be taken on`);
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    };
    const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region, credentials }));
    return { transact: (TransactItems) => transact(documents, TransactItems) };
  };

/** The clients and the names by which checks examine a deployed stack. */
export const openAccount = async (
  client: CloudFormationClient,
  caller: Caller,
  stackName: string,
): Promise<Omit<Account, 'redeploy'>> => {
  const { accountId, region, partition } = caller;
  const iam = new IAMClient({ region });
  const resources = await listResources(client, stackName);
  return {
    cloudWatch: new CloudWatchClient({ region }),
    dynamodb: new DynamoDBClient({ region }),
    sqs: new SQSClient({ region }),
    iam,
    assumeRole: assumeRoleIn(caller, iam),
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
