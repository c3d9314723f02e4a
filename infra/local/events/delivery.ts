import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../../lib/clock.ts';
import type { DueSchedule } from '../../../lib/due/due-entry.ts';
import type { DueDelivery } from '../../../lib/due/run-due.ts';
import type { EventBus } from '../../../lib/events/bus.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { deliverBatch } from '../../../lib/webhooks/deliver-batch.ts';
import type { DeliveryMessage, DeliveryQueue } from '../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { handleDueDelivery } from '../../../lib/webhooks/due-deliveries.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { createLeases } from '../../../lib/webhooks/leases.ts';
import { createParkedDeliveries } from '../../../lib/webhooks/parked-deliveries.ts';
import { createSecretStore, rememberSecrets } from '../../../lib/webhooks/secret-store.ts';
import { createSender } from '../../../lib/webhooks/send.ts';
import type { TableKind } from '../../tables.ts';

export interface DeliveryOptions {
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
  readonly queue: DeliveryQueue;
  readonly due: DueSchedule;
  readonly bus: EventBus;
  readonly now: Clock;
}
