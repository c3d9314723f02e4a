import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { IAMClient } from '@aws-sdk/client-iam';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { TransactItem } from '../../../lib/events/event-transaction.ts';
import type { DeployedStage, Deployment } from '../../support/deploy/stage.ts';
import { addStoreWithKey } from '../../support/deploy/store.ts';

/** A client with the rights of a role. */
interface AssumedRole {
  /** Sends a transaction whose condition fails. `permitted`: IAM let it pass. */
  readonly transact: (TransactItems: TransactItem[]) => Promise<'permitted' | 'denied'>;
}

/** The AWS account of a deployed stage. */
export interface Account {
  readonly cloudWatch: Pick<CloudWatchClient, 'send'>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly iam: Pick<IAMClient, 'send'>;
  readonly lambda: Pick<LambdaClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  /** The name of the stage's resource with this logical id, without the hash at its end. */
  readonly resource: (id: string) => string;
  /** The ARN of a resource of the account. */
  readonly arnOf: (service: string, name: string) => string;
  /** Takes on the role of a function of the stage, which the check of an account destroys afterwards. */
  readonly assumeRole: (roleName: string) => Promise<AssumedRole>;
  /** Deploys the stage again with other context values. */
  readonly redeploy: (context: Parameters<Deployment['deploy']>[0]) => Promise<unknown>;
}

export interface CheckedStage extends DeployedStage {
  readonly apiKey: string;
  /** A webhook endpoint whose receiver is the stage itself. It responds to each attempt with 404. */
  readonly endpointId: string;
  /** A webhook endpoint whose receiver accepts webhooks. */
  readonly acceptingEndpointId?: string;
  /** Absent on the emulator. */
  readonly account?: Account;
}

/** A stage in an account of AWS. */
export interface AccountStage extends CheckedStage {
  readonly account: Account;
}

/** A stage with a receiver that accepts webhooks. */
interface ReceiverStage extends CheckedStage {
  readonly acceptingEndpointId: string;
}

type Run<Stage> = (stage: Stage) => Promise<string | void>;

/** A check of a stage. Its `run` throws if the guarantee does not hold, and returns a remark for the table. */
export type Check = {
  /** The guarantee. */
  readonly name: string;
  /** The most requests that it sends through the gateway. */
  readonly requests?: number;
} & (
  | { readonly needs?: never; readonly run: Run<CheckedStage> }
  /** No emulator has the behaviour. */
  | { readonly needs: 'aws'; readonly run: Run<AccountStage> }
  | { readonly needs: 'receiver'; readonly run: Run<ReceiverStage> }
);

/** A receiver that accepts webhooks. */
export interface AcceptingReceiver {
  readonly url: string;
  /** Set when its endpoint exists. */
  secret: string;
}

/** Gives a stage a key, a product and its webhook endpoints. */
export const prepareStage = async (
  stage: DeployedStage,
  receiver: AcceptingReceiver | undefined,
): Promise<CheckedStage> => {
  const apiKey = await addStoreWithKey(stage);
  const createEndpoint = async (url: string): Promise<{ id: string; secret: string }> => {
    const flags = ['--store', 'shop', '--mode', 'test', '--url', url];
    return (await stage.operate('webhooks', 'create', ...flags)) as { id: string; secret: string };
  };
  const { id: endpointId } = await createEndpoint(`${stage.baseUrl}/webhooks`);
  if (!receiver) return { ...stage, apiKey, endpointId };
  const { id: acceptingEndpointId, secret } = await createEndpoint(receiver.url);
  receiver.secret = secret;
  return { ...stage, apiKey, endpointId, acceptingEndpointId };
};
