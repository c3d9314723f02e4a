import { createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createQueueClient } from '../../lib/aws/clients.ts';
import { memo } from '../../lib/core/memo.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { queueUrlsOf } from '../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { createDeliveryRepository } from '../../lib/deliveries/records/delivery-repository.ts';
import { createDnsCheckLock } from '../../lib/endpoints/address/dns-check-lock.ts';
import { createHostCheck } from '../../lib/endpoints/address/host-check.ts';
import { resolveHost } from '../../lib/endpoints/address/resolve-host.ts';
import { createEndpointChanges } from '../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import { createSendIntervals } from '../../lib/endpoints/send-intervals.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { createEventRepository } from '../../lib/events/event-repository.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import {
  IDEMPOTENCY_SECRET_IDS,
  readOrCreateIdempotencySecret,
} from '../../lib/idempotency/idempotency-secret.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { byRoute } from '../by-route.ts';
import { settingNamesOf } from '../function-needs.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { getWebhookEndpoint } from './get-webhook-endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhookEndpoint } from './test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';

/** The operations under /api/v1/stores/webhook-endpoints (`docs/contract.md`, "Endpoints"). */
export const webhookEndpointsFunction = (dependencies: Dependencies): ProxyFunction =>
  byRoute<'webhook-endpoints'>({
    createWebhookEndpoint: createWebhookEndpoint(dependencies),
    listWebhookEndpoints: listWebhookEndpoints(dependencies),
    getWebhookEndpoint: getWebhookEndpoint(dependencies),
    updateWebhookEndpoint: updateWebhookEndpoint(dependencies),
    deleteWebhookEndpoint: deleteWebhookEndpoint(dependencies),
    rotateWebhookSecret: rotateWebhookSecret(dependencies),
    testWebhookEndpoint: testWebhookEndpoint(dependencies),
    listWebhookDeliveries: listWebhookDeliveries(dependencies),
    resendWebhookDelivery: resendWebhookDelivery(dependencies),
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('webhook-endpoints'));
  const { now } = Date;
  const queueUrls = queueUrlsOf(settings);
  const tables = { webhookEndpoints: settings.webhookEndpointsTable, secrets: settings.secretsTable };
  const log = createEventLog(documents, settings.eventsTable, { now });
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    now,
    endpoints: createEndpointRepository(documents, tables.webhookEndpoints),
    sendIntervals: createSendIntervals(documents, tables.webhookEndpoints),
    endpointChanges: createEndpointChanges(documents, tables, { log, now }),
    deliveries: createDeliveryRepository(documents, settings.deliveriesTable, now),
    events: createEventRepository(documents, settings.eventsTable),
    queue: createSqsDeliveryQueue(createQueueClient(), queueUrls),
    idempotencySecret: memo(() =>
      readOrCreateIdempotencySecret(documents, tables.secrets, IDEMPOTENCY_SECRET_IDS.endpoints),
    ),
    checkHost: createHostCheck(createDnsCheckLock(documents, settings.apiKeysTable), resolveHost),
    urlOptions: {
      allowsLoopback: settings.webhookLoopback ?? false,
      publicUrl: settings.publicUrl,
    },
  };
};

export const { handler, ready } = startFunction({
  createHandler: webhookEndpointsFunction,
  createDependencies,
  warmUp: ({ authenticator }, unknownId) => [authenticator.authenticate(unknownId, Date.now)],
});
