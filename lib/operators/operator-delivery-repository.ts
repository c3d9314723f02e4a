import type { Clock } from '../core/clock.ts';
import type { DocumentClient } from '../database/documents.ts';
import { queryPages } from '../database/paginate.ts';
import { existingRecord } from '../deliveries/records/delivery-item.ts';
import {
  createDeliveryRepository,
  type DeliveryRange,
  rangeOf,
} from '../deliveries/records/delivery-repository.ts';
import type { DeliveryRecord } from '../deliveries/records/delivery.ts';

interface ListOptions extends DeliveryRange {
  /** Only deliveries whose status is not `succeeded`. */
  readonly failedOnly?: boolean;
  /** Default: the latest event first. */
  readonly oldestFirst?: boolean;
  /** Default: 100 */
  readonly limit?: number;
}

/** The deliveries of endpoints for operators. Every method throws when DynamoDB is slow, throttles or is down. */
export const createOperatorDeliveryRepository = (
  documents: DocumentClient,
  tableName: string,
  now: Clock,
) => ({
  ...createDeliveryRepository(documents, tableName, now),

  /** Lists deliveries of an endpoint, in the order of their events. */
  async listOf(endpointId: string, options: ListOptions = {}): Promise<readonly DeliveryRecord[]> {
    const { failedOnly = false, oldestFirst = false, limit = 100 } = options;
    const query = {
      TableName: tableName,
      ...rangeOf(endpointId, options),
      ...(failedOnly && { FilterExpression: 'attribute_not_exists(succeededAtMs)' }),
      ScanIndexForward: oldestFirst,
      ConsistentRead: true,
      // A filter drops most items of a page.
      Limit: failedOnly ? 1_000 : Math.min(limit, 1_000),
    };
    const found: DeliveryRecord[] = [];
    for await (const { Items = [] } of queryPages(documents, query)) {
      found.push(...Items.flatMap((item) => existingRecord(item, now()) ?? []));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  },
});
