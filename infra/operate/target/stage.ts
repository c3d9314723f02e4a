import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import { hideAwsSettings } from '../../local-access/aws-settings.ts';
import {
  LOCAL_BUS,
  LOCAL_TABLE_NAMES,
  localClientConfig,
  localQueueUrl,
} from '../../local-access/local-names.ts';
import { readRunningStage } from '../../local-access/running-stage.ts';
import { PAYMENT_SOURCE } from '../../stage/payment-senders.ts';
import { queueOutputs } from '../../stage/queues.ts';
import { safeStageName, stackNameOf } from '../../stage/stage-name.ts';
import { tableOutputOf } from '../../stage/tables.ts';
import { LOCAL_KEY_LIMITS_MAX } from '../../stage/throttle.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { typedCommand } from '../../terminal/typed-command.ts';
import { watchClock } from './clock-difference.ts';
import { DATABASE_CONNECTIONS, SERVICE_CONNECTIONS } from './connections.ts';
import { placeOf } from './stack-place.ts';

type StackOutputs = Readonly<Partial<Record<string, string>>>;

/** A logger for the clients of the SDK: a command prints one sentence, not the SDK's warnings. */
export const SILENT_LOGGER = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** @throws OperatorError if neither the environment nor the profile has a region */
export const regionOf = (client: {
  readonly config: { readonly region: () => Promise<string> };
}): Promise<string> =>
  client.config.region().catch(() => {
    throw new OperatorError(
      'No AWS region is set: set AWS_REGION, or AWS_PROFILE to a profile with a region.',
    );
  });

/**
 * Reads a deployed stage's stack, with the region and the credentials of the environment.
 *
 * @throws OperatorError if the stack does not exist or cannot be read
 */
const readStack = async (
  stageName: string,
  now: Clock,
): Promise<Pick<DeployedStage, 'outputs' | 'place' | 'clockAheadMs'>> => {
  const client = new CloudFormationClient({
    maxAttempts: 2,
    requestHandler: SERVICE_CONNECTIONS,
    logger: SILENT_LOGGER,
  });
  const clockAheadMs = watchClock(client, now);
  const region = await regionOf(client);
  const StackName = stackNameOf(stageName);
  const described = await client
    .send(new DescribeStacksCommand({ StackName }))
    .catch(async (error: unknown) => {
      const { explainStack } = await import('./explain-stack.ts');
      const reason = await explainStack(error, stageName, client, region);
      throw reason === undefined ? error : new OperatorError(reason, { cause: error });
    });
  const [{ StackId, Outputs: outputs = [] } = {}] = described.Stacks ?? [];
  return {
    outputs: Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue])),
    place: placeOf(StackId),
    clockAheadMs: clockAheadMs(),
  };
};

/**
 * One output of a deployed stage's stack.
 *
 * @throws OperatorError if the stack lacks it, because it is still being created or comes from an older release
 */
export const outputOf = ({ name, outputs }: Pick<Stage, 'name' | 'outputs'>, output: string): string => {
  const value = outputs[output];
  if (value !== undefined) return value;
  throw new OperatorError(
    `The stack ${stackNameOf(name)} has no output ${output}: its deployment is incomplete or old. Deploy the stage again.`,
  );
};

/** More than for a request, and also after a throttled call: an operator can wait. */
const ATTEMPTS_MAX = 5;

interface AnyStage {
  /** The name of a deployed stage, or `local`. */
  readonly name: string;
  readonly documents: DocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  /** The outputs of a deployed stage's stack. A local stage has those that the commands need on any stage. */
  readonly outputs: StackOutputs;
}

interface DeployedStage extends AnyStage {
  readonly isLocal: false;
  /** The region and the account. */
  readonly place: string | undefined;
  /** How far this machine's clock is ahead of AWS. */
  readonly clockAheadMs: number | undefined;
}

interface LocalStage extends AnyStage {
  readonly isLocal: true;
  /** The address of its database, queues and bus. */
  readonly endpoint: string;
  /** Its address, if it runs on the default data. */
  readonly baseUrl: string | undefined;
}

export type Stage = DeployedStage | LocalStage;

const findDeployedStage = async (text: string, now: Clock): Promise<DeployedStage> => {
  const name = safeStageName(text);
  const { outputs, ...found } = await readStack(name, now);
  const tables = TABLE_KINDS.map((kind) => [kind, outputOf({ name, outputs }, tableOutputOf(kind))]);
  return {
    name,
    documents: createDocumentClient({
      requestHandler: DATABASE_CONNECTIONS,
      retryStrategy: new StandardRetryStrategy(ATTEMPTS_MAX),
    }),
    tableNames: Object.fromEntries(tables) as Stage['tableNames'],
    outputs,
    isLocal: false,
    ...found,
  };
};

/** The option that selects a stage. */
export const stageFlag = (stage: Stage): string =>
  stage.isLocal ? `--dynamodb ${stage.endpoint}` : `--stage ${stage.name}`;

/**
 * Finds the stage to work on. The default is the local stage on the default data.
 *
 * @param stage the name of a deployed stage, or a text such as a branch from which `safeStageName` makes it
 * @param dynamodb the address of a local stage's database, queues and bus: its `dynamodbEndpoint`
 * @param now the machine's clock
 * @throws OperatorError if the stage is not deployed or not running, or its stack cannot be read
 */
export const findStage = async (
  stage: string | undefined,
  dynamodb: string | undefined,
  now: Clock,
): Promise<Stage> => {
  if (stage !== undefined) return findDeployedStage(stage, now);
  hideAwsSettings();
  const running = dynamodb === undefined ? await readRunningStage() : undefined;
  const endpoint = dynamodb ?? running?.dynamodbEndpoint;
  if (endpoint === undefined) {
    throw new OperatorError(
      `No local stage runs on the default data: start one with \`${typedCommand('start')}\`, or select a stage with --dynamodb or --stage.`,
    );
  }
  return {
    name: 'local',
    documents: createDocumentClient({ ...localClientConfig(endpoint), requestHandler: DATABASE_CONNECTIONS }),
    tableNames: LOCAL_TABLE_NAMES,
    outputs: {
      EventBusName: LOCAL_BUS,
      PaymentSource: PAYMENT_SOURCE,
      ...queueOutputs((name) => localQueueUrl(endpoint, name)),
      WebhookLoopback: 'true',
      KeyRequestsPerSecondMax: String(LOCAL_KEY_LIMITS_MAX.requestsPerSecond),
      KeyRequestsAtOnceMax: String(LOCAL_KEY_LIMITS_MAX.requestsAtOnce),
    },
    isLocal: true,
    endpoint,
    baseUrl: running?.baseUrl,
  };
};
