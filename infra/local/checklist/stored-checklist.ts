import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { createChecklist, type IntegrationChecklist, type Progress } from './checklist.ts';

const KEY = { part: 'checklist', id: 'progress' };

/**
 * Opens the checklist of a stage, which stays after a restart with the other data.
 *
 * @param TableName the table of the local stage alone
 * @param onError receives the error if DynamoDB does not store a step. The step stays until the process ends
 */
export const openChecklist = async (
  documents: DocumentClient,
  TableName: string,
  onError: (error: unknown) => void,
): Promise<IntegrationChecklist> => {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: KEY, ConsistentRead: true }));
  return createChecklist((Item?.['progress'] ?? {}) as Progress, (progress) => {
    documents.send(new PutCommand({ TableName, Item: { ...KEY, progress } })).catch(onError);
  });
};
