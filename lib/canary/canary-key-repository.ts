import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { DocumentClient } from '../database/documents.ts';

/** The id of the canary's own test key in the table `secrets`. */
export const CANARY_KEY_ID = 'canary';

const itemSchema = z.object({ apiKey: z.string() });

/** The text of the canary's key, which the canary sends as a merchant would. */
export const createCanaryKeyRepository = (documents: DocumentClient, tableName: string) => ({
  async find(): Promise<string | undefined> {
    const command = new GetCommand({
      TableName: tableName,
      Key: { id: CANARY_KEY_ID },
      ConsistentRead: true,
    });
    const { Item: item } = await documents.send(command);
    return itemSchema.safeParse(item).data?.apiKey;
  },

  async replace(keyText: string): Promise<void> {
    await documents.send(
      new PutCommand({ TableName: tableName, Item: { id: CANARY_KEY_ID, apiKey: keyText } }),
    );
  },
});
