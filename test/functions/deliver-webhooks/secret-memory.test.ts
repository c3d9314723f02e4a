import { expect, it } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { createDeliveryService } from '../../../lib/webhooks/delivery-service.ts';
import { manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { beforeCalls } from '../../support/documents.ts';
import { newEndpoint, storeEndpoint } from '../../support/endpoints.ts';

it('a process remembers a secret for an hour, so rotations do not fill its memory', async () => {
  const database = await givenDatabase();
  const endpoint = newEndpoint();
  const secret = await storeEndpoint(database, endpoint);
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  let reads = 0;
  beforeCalls(documents, () => (reads += 1));
  const clock = manualClock();
  const { tableNames } = database;
  const { findSecret } = createDeliveryService(
    documents,
    {
      storesTable: tableNames.stores,
      webhookEndpointsTable: tableNames.webhookEndpoints,
      secretsTable: tableNames.secrets,
      deliveriesTable: tableNames.deliveries,
      eventsTable: tableNames.events,
    },
    {
      queue: { send: async () => undefined },
      bus: { put: async () => undefined },
      send: async () => ({ status: 200, ms: 1 }),
      now: clock.now,
    },
  );

  for (const [seconds, expected] of [
    [0, 1],
    [3_599, 1],
    [1, 2],
  ] as const) {
    clock.advance(seconds);
    expect(await findSecret(endpoint)).toMatchObject({ secret });
    expect(reads).toBe(expected);
  }
});
