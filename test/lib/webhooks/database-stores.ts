import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../lib/core/clock.ts';
import { fromItem } from '../../../lib/due/due-item.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { endpointKey } from '../../../lib/webhooks/endpoint-items.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { createLeases } from '../../../lib/webhooks/leases.ts';
import { createParkedDeliveries } from '../../../lib/webhooks/parked-deliveries.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { WorldStores } from './world.ts';

/** The real stores of one endpoint. */
export const createDatabaseStores = async (
  { documents, tableNames }: TestDatabase,
  endpoint: WebhookEndpoint,
  now: Clock,
): Promise<WorldStores> => {
  const { webhookEndpoints, deliveries, due } = tableNames;
  const endpoints = createEndpointStore(documents, webhookEndpoints);
  const dueStore = createDueStore(documents, due, now);
  await endpoints.create(endpoint);
  return {
    leases: createLeases(documents, webhookEndpoints, now),
    deliveries: createDeliveryStore(documents, deliveries, now),
    parked: createParkedDeliveries(documents, due),
    endpoints: {
      get: (ref) => endpoints.get(ref),
      async setState({ failures, probeAtMs }) {
        const command = new UpdateCommand({
          TableName: webhookEndpoints,
          Key: endpointKey(endpoint),
          UpdateExpression: 'SET failures = :failures, probeAtMs = :probe',
          ExpressionAttributeValues: { ':failures': failures, ':probe': probeAtMs ?? 0 },
        });
        await documents.send(command);
      },
    },
    due: {
      put: (entries) => dueStore.put(entries),
      done: (entry) => dueStore.done(entry),
      async entries() {
        const { Items = [] } = await documents.send(new ScanCommand({ TableName: due }));
        return Items.map(fromItem).filter(
          ({ entry }) => entry && 'endpoint' in entry && entry.endpoint.endpointId === endpoint.endpointId,
        );
      },
    },
  };
};
