import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../local/local-database.ts';
import { readStageFile } from '../local/stage-file.ts';
import { OperatorError } from '../operator-error.ts';
import type { TableKind } from '../tables.ts';

/** The stage that a command works on. */
export interface Stage {
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
}

/**
 * Finds the stage to work on: the local one on the default data, or the one whose DynamoDB is given.
 *
 * @throws OperatorError if no local stage is running and no DynamoDB is given
 */
export const findStage = (dynamodbUrl: string | undefined): Stage => {
  const endpoint = dynamodbUrl ?? readStageFile()?.dynamodbEndpoint;
  if (endpoint === undefined) {
    throw new OperatorError(
      'No local stage runs on the default data: start it with `npm start`, or pass --dynamodb with the address that yours printed.',
    );
  }
  return {
    documents: createDocumentClient(localClientConfig(endpoint)),
    tableNames: LOCAL_TABLE_NAMES,
  };
};
