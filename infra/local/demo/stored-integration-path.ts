import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { createPath, type Path, type Progress } from './integration-path.ts';

const KEY = { source: 'path', id: 'progress' };

/**
 * Opens the path of a stage, which stays after a restart with the other data.
 *
 * @param TableName the table of the local stage alone
 * @param onError receives the error if DynamoDB does not store a step. The step stays until the process ends
 */
export const openPath = async (
  documents: DocumentClient,
  TableName: string,
  onError: (error: unknown) => void,
): Promise<Path> => {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: KEY, ConsistentRead: true }));
  return createPath((Item?.['progress'] ?? {}) as Progress, (progress) => {
    documents.send(new PutCommand({ TableName, Item: { ...KEY, progress } })).catch(onError);
  });
};
