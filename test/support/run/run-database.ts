import type { TestProject } from 'vitest/node';
import { LOCAL_TABLE_NAMES } from '../../../infra/local-access/local-names.ts';
import { startEmbeddedDynamodb } from '../../../infra/local/database/embedded-dynamodb.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import { createTestClient } from '../database/test-client.ts';
import { createTestTable } from '../database/test-tables.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the DynamoDB that all test files share. */
    dynamodbEndpoint: string;
  }
}

/**
 * Provides the database of a run: the DynamoDB at `DYNAMODB_URL`, or else an embedded one. It gets the tables of the local
 * stage, without a stage.
 *
 * A test starts its own embedded one only to end it, to reopen its data file, or for a stage in its own process.
 * Stages cannot share a database: they have the same tables, and each does the work of all.
 */
export const provideDatabase = async (project: TestProject): Promise<() => Promise<void>> => {
  const { DYNAMODB_URL = '' } = process.env;
  const embedded = DYNAMODB_URL === '' ? await startEmbeddedDynamodb({ data: 'memory' }) : undefined;
  const endpoint = embedded?.endpoint ?? DYNAMODB_URL;
  const documents = createTestClient(endpoint);
  await Promise.all(TABLE_KINDS.map((kind) => createTestTable(documents, LOCAL_TABLE_NAMES[kind], kind)));
  documents.destroy();
  project.provide('dynamodbEndpoint', endpoint);
  return async () => embedded?.close();
};
