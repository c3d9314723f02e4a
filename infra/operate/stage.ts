import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../local/local-database.ts';
import { readStageFile } from '../local/stage-file.ts';
import { OperatorError } from '../operator-error.ts';
import { safeStageName } from '../stages.ts';
import type { TableKind } from '../tables.ts';
import { readStackOutputs, requireOutput, type StackOutputs } from './stack-outputs.ts';

/** Which stage a command is to work on; without either, the local one on the default data. */
export interface StageFlags {
  /** The name of a deployed stage, or the text that its name was made of, such as a branch's. */
  readonly stage?: string | undefined;
  /** The DynamoDB of a local stage on other data. */
  readonly dynamodb?: string | undefined;
}

/** The stage that a command works on. */
export interface Stage {
  /** The name of a deployed stage, or `local`. */
  readonly name: string;
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  /** Of a deployed stage: all that its stack tells; `requireOutput` reads one. */
  readonly outputs?: StackOutputs;
}

/** More than a request gets, throttles included: an operator would rather wait than start again. */
const ATTEMPTS_MAX = 5;

const findDeployedStage = async (text: string): Promise<Stage> => {
  const name = safeStageName(text);
  const outputs = await readStackOutputs(name);
  return {
    name,
    documents: createDocumentClient({ retryStrategy: new StandardRetryStrategy(ATTEMPTS_MAX) }),
    tableNames: {
      apiKeys: requireOutput(outputs, 'ApiKeysTable', name),
      products: requireOutput(outputs, 'ProductsTable', name),
      carts: requireOutput(outputs, 'CartsTable', name),
    },
    outputs,
  };
};

/**
 * Finds the stage to work on: a deployed one by its name, else the local one, on the default data or on the DynamoDB
 * that is given.
 *
 * @throws OperatorError if it is not deployed or not running, or cannot be asked
 */
export const findStage = async ({ stage, dynamodb }: StageFlags): Promise<Stage> => {
  if (stage !== undefined) return findDeployedStage(stage);
  const endpoint = dynamodb ?? readStageFile()?.dynamodbEndpoint;
  if (endpoint === undefined) {
    throw new OperatorError(
      'No local stage runs on the default data: start it with `npm start`, pass --dynamodb with the address that yours printed, or --stage with a deployed one.',
    );
  }
  return {
    name: 'local',
    documents: createDocumentClient(localClientConfig(endpoint)),
    tableNames: LOCAL_TABLE_NAMES,
  };
};
