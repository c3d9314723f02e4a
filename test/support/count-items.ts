import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

/** Counts the items of a table. */
export const countItems = async (client: DynamoDBDocumentClient, TableName: string): Promise<number> => {
  let count = 0;
  const scan = { TableName, Select: 'COUNT', ConsistentRead: true } as const;
  for await (const { Count = 0 } of paginateScan({ client }, scan)) count += Count;
  return count;
};
