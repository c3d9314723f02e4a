import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { timerOf } from '../../../lib/timers/timer.ts';
import { endpointKey } from '../../../lib/endpoints/endpoint-items.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { worldOn } from './database-repositories.ts';

const database = await givenDatabase();

test('deliveries that a release before 2026-11-27 has parked are sent, and then the timer of their endpoint ends', async () => {
  const world = await worldOn(database);
  const { endpoint, stores } = world;
  const messages = world.givenMessages(2);
  const timer = { timer: `parked#${endpoint.endpointId}`, timerAtMs: NOW_MS };
  for (const message of messages) {
    const next = { attempt: 3, timer };
    await stores.deliveries.record(message, { status: 'waiting', next }, NOW_MS);
  }
  const probe = timerOf('test-probe', endpoint.endpointId, NOW_MS);
  const put = new UpdateCommand({
    TableName: database.tableNames.webhookEndpoints,
    Key: endpointKey(endpoint),
    UpdateExpression: 'SET timer = :timer, timerAtMs = :at',
    ExpressionAttributeValues: { ':timer': probe.timer, ':at': probe.timerAtMs },
  });
  await database.documents.send(put);
  await world.runDue();
  expect(await stores.endpointTimer()).toBeDefined();
  await world.run();
  expect(world.received.map(({ eventId }) => eventId).toSorted()).toStrictEqual(
    messages.map(({ eventId }) => eventId).toSorted(),
  );
  expect(await stores.endpointTimer()).toBeUndefined();
});
