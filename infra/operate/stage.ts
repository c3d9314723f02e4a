import { StandardRetryStrategy } from '@smithy/core/retry';
import { createDocumentClient } from '../../lib/aws.ts';
import type { Documents } from '../../lib/core/documents.ts';
import type { TrueClock } from '../../lib/core/true-clock.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../local/local-database.ts';
import { readStageFile } from '../local/stage-file.ts';
import { OperatorError } from '../operator-error.ts';
import { safeStageName } from '../stages.ts';
import { TABLE_KINDS, type TableKind, tableOutputOf } from '../tables.ts';
import { outputOf, readStackOutputs, type StackOutputs } from './stack-outputs.ts';

/** More than for a request, and also after a throttled call: an operator can wait. */
const ATTEMPTS_MAX = 5;

/** The options that select a stage. The default is the local stage on the default data. */
export interface StageFlags {
  /** The name of a deployed stage, or a text such as a branch from which `safeStageName` makes it. */
  readonly stage?: string | undefined;
  /** The address of a local stage's database, queues and bus: its `dynamodbEndpoint`. */
  readonly dynamodb?: string | undefined;
}

export interface Stage {
  /** The name of a deployed stage, or `local`. */
  readonly name: string;
  readonly documents: Documents;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  /** The outputs of a deployed stage's stack. */
  readonly outputs?: StackOutputs;
  /** The address of a local stage on the default data. */
  readonly localUrl?: string | undefined;
  /** The address of a local stage's database, queues and bus. */
  readonly localEndpoint?: string;
}

const findDeployedStage = async (text: string, clock: TrueClock | undefined): Promise<Stage> => {
  const name = safeStageName(text);
  const outputs = await readStackOutputs(name);
  const tables = TABLE_KINDS.map((kind) => [kind, outputOf({ name, outputs }, tableOutputOf(kind))]);
  return {
    name,
    documents: createDocumentClient({ retryStrategy: new StandardRetryStrategy(ATTEMPTS_MAX) }, clock),
    tableNames: Object.fromEntries(tables) as Stage['tableNames'],
    outputs,
  };
};

/** The option that selects a stage. */
export const stageFlag = ({ name, localEndpoint }: Stage): string =>
  localEndpoint === undefined ? `--stage ${name}` : `--dynamodb ${localEndpoint}`;

/**
 * Finds the stage to work on.
 *
 * @param clock the clock that the responses of the stage's DynamoDB correct
 * @throws OperatorError if the stage is not deployed or not running, or its stack cannot be read
 */
export const findStage = async ({ stage, dynamodb }: StageFlags, clock?: TrueClock): Promise<Stage> => {
  if (stage !== undefined) return findDeployedStage(stage, clock);
  const running = dynamodb === undefined ? readStageFile() : undefined;
  const endpoint = dynamodb ?? running?.dynamodbEndpoint;
  if (endpoint === undefined) {
    throw new OperatorError(
      'No local stage runs on the default data: start one with `npm start`, or select a stage with --dynamodb or --stage.',
    );
  }
  return {
    name: 'local',
    documents: createDocumentClient(localClientConfig(endpoint), clock),
    tableNames: LOCAL_TABLE_NAMES,
    localUrl: running?.baseUrl,
    localEndpoint: endpoint,
  };
};
