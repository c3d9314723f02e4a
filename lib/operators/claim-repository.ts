import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { DocumentClient } from '../database/documents.ts';
import { claimId } from '../payments/payment-record-repository.ts';

/** The claims of payments, in the table of their carts. */
export const createClaimRepository = (documents: DocumentClient, tableName: string) => ({
  /**
   * Finds the id of the cart that a payment belongs to, by a strongly consistent read.
   *
   * @throws when DynamoDB is slow, throttles or is down
   */
  async find(paymentId: string): Promise<string | undefined> {
    const Key = { id: claimId(paymentId) };
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    const { Item } = await documents.send(command);
    return Item?.['cartId'] as string | undefined;
  },
});

export type ClaimRepository = ReturnType<typeof createClaimRepository>;
