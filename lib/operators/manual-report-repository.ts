import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Cart } from '../carts/cart.ts';
import { otherItemId } from '../carts/item-ids.ts';
import type { Payment } from '../carts/payment.ts';
import type { Refund } from '../carts/refund.ts';
import { tookEffect } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { UnreadableItemError } from '../database/readable-item.ts';

/** A payment or a refund that an operator has reported by hand, recorded or not. It has no personal data. */
export type ManualReport = Payment | Refund;

/** The id of the reports about a cart, in the table of the cart. */
export const reportsId = (cartId: string): string => otherItemId('reports', cartId);

/** The reports about the stored cart, and not about an earlier one with its id. */
const IS_OF_CART = 'createdAtMs = :createdAtMs';

/**
 * The reports about each cart, in one item of the cart's table. They stay as long as the cart: each report gives the
 * item the cart's TTL. If a payment has completed the cart since, the cart has this payment.
 */
export const createManualReportRepository = (documents: DocumentClient, tableName: string) => ({
  /**
   * Finds the reports about a cart, the oldest first, by a strongly consistent read.
   *
   * @throws UnreadableItemError if the item has no list of reports
   */
  async find({ id, createdAtMs }: Cart): Promise<readonly ManualReport[]> {
    const Key = { id: reportsId(id) };
    const { Item } = await documents.send(
      new GetCommand({ TableName: tableName, Key, ConsistentRead: true }),
    );
    if (Item?.['createdAtMs'] !== createdAtMs) return [];
    const { reports } = Item;
    if (!Array.isArray(reports))
      throw new UnreadableItemError('The stored reports about the cart are no list');
    return reports as readonly ManualReport[];
  },

  /**
   * Stores a report about a cart.
   *
   * @param found the reports that {@link find} returned
   * @returns `false` if somebody has stored another one since
   */
  async add(
    { id, createdAtMs, deleteAtSeconds }: Cart,
    found: readonly ManualReport[],
    report: ManualReport,
  ): Promise<boolean> {
    const isAsFound =
      found.length === 0
        ? `attribute_not_exists(id) OR NOT ${IS_OF_CART}`
        : `${IS_OF_CART} AND size(reports) = :found`;
    const Item = { id: reportsId(id), cartId: id, createdAtMs, deleteAtSeconds, reports: [...found, report] };
    const put = new PutCommand({
      TableName: tableName,
      Item,
      ConditionExpression: isAsFound,
      ExpressionAttributeValues: {
        ':createdAtMs': createdAtMs,
        ...(found.length > 0 && { ':found': found.length }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return tookEffect(documents.send(put), Item);
  },
});
