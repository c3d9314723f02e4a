import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../../lib/core/clock.ts';
import { updateOf } from '../../../../lib/database/expressions.ts';
import { createLeases } from '../../../../lib/deliveries/leases/leases.ts';
import { createEndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import { createParkedDeliveries } from '../../../../lib/deliveries/parking/parked-deliveries.ts';
import { createReportDisabled } from '../../../../lib/deliveries/report-disabled.ts';
import { createDeliveryTimers } from '../../../../lib/deliveries/retries/delivery-timers.ts';
import type { EndpointEvent } from '../../../../lib/endpoints/endpoint-event.ts';
import { endpointKey } from '../../../../lib/endpoints/endpoint-item.ts';
import { createEndpointRepository } from '../../../../lib/endpoints/endpoint-repository.ts';
import type { EndpointRef, WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { createOperatorDeliveryRepository } from '../../../../lib/operators/operator-delivery-repository.ts';
import type { TimerRepository } from '../../../../lib/timers/timer-repository.ts';
import type { Timer } from '../../../../lib/timers/timer.ts';
import type { TestTables } from '../../../support/database/database.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { eventsOf } from '../../../support/domain/event-logs.ts';
import { givenPauses } from '../../../support/pauses.ts';
import {
  givenWorld,
  type TimedDelivery,
  type World,
  type WorldOptions,
  type WorldRepositories,
} from './world.ts';

/** The timers of one endpoint: the table has those of other tests, too. */
const timersOf = (
  repository: TimerRepository,
  name: string,
  { endpointId }: EndpointRef,
): TimerRepository => ({
  ...repository,
  async *due(...args) {
    for await (const page of repository.due(...args))
      yield page.filter(({ key }) => key[name] === endpointId);
  },
});

/** The real repositories of one endpoint. */
export const createDatabaseRepositories = async (
  database: TestTables,
  endpoint: WebhookEndpoint,
  now: Clock,
): Promise<WorldRepositories> => {
  const { documents, tableNames } = database;
  const { webhookEndpoints, deliveries, events } = tableNames;
  const log = createEventLog(documents, events, { now, pauses: givenPauses().pauses });
  const endpoints = createEndpointRepository(documents, webhookEndpoints);
  const deliveryTimers = createDeliveryTimers(documents, deliveries);
  const endpointTimers = createEndpointTimers(documents, webhookEndpoints);
  const key = { TableName: webhookEndpoints, Key: endpointKey(endpoint) };
  await storeEndpoint(database, endpoint);
  const parkedDeliveries = createParkedDeliveries(documents, deliveries, now);
  return {
    leases: createLeases(documents, webhookEndpoints, now),
    deliveries: createOperatorDeliveryRepository(documents, deliveries, now),
    deliveryTimers: {
      ...deliveryTimers,
      repository: timersOf(deliveryTimers.repository, 'endpointId', endpoint),
    },
    endpointTimers: { ...endpointTimers, repository: timersOf(endpointTimers.repository, 'id', endpoint) },
    parkedDeliveries,
    reportDisabled: createReportDisabled(log, webhookEndpoints),
    async reported() {
      const logged = (await eventsOf(database, endpoint)) as readonly unknown[] as readonly EndpointEvent[];
      return logged.filter(({ type }) => type === 'webhook_endpoint.disabled');
    },
    parked: async () => (await parkedDeliveries.first(endpoint.endpointId, 1_000)).messages,
    endpoints: {
      find: (ref) => endpoints.find(ref),
      async setState({ failures, probeAtMs = 0, isQuick }) {
        const changes = { set: { failures, probeAtMs, isQuick }, remove: isQuick ? [] : ['isQuick'] };
        await documents.send(new UpdateCommand({ ...key, ...updateOf(changes) }));
      },
    },
    async endpointTimer() {
      const { Item } = await documents.send(new GetCommand(key));
      const { timer, timerAtMs } = (Item ?? {}) as Partial<Timer>;
      return timer === undefined || timerAtMs === undefined ? undefined : { timer, timerAtMs };
    },
    async timed() {
      const query = new QueryCommand({
        TableName: deliveries,
        KeyConditionExpression: 'endpointId = :endpoint',
        FilterExpression: 'attribute_exists(timer)',
        ExpressionAttributeValues: { ':endpoint': endpoint.endpointId },
      });
      const { Items = [] } = await documents.send(query);
      return Items.map((item) => {
        const { eventId, nextAttempt, timer, timerAtMs } = item as TimedDelivery;
        return { eventId, nextAttempt, timer, timerAtMs };
      });
    },
  };
};

/** A world with the real stores. */
export const worldOn = (database: TestTables, options?: WorldOptions): Promise<World> =>
  givenWorld((endpoint, now) => createDatabaseRepositories(database, endpoint, now), options);
