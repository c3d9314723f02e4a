import { createDueStore } from '../../../lib/due/due-store.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { createSecretStore } from '../../../lib/webhooks/secret-store.ts';
import { printable, UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { AuditedChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import type { Host, YesFlag } from '../options.ts';
import { findStage, type StageFlags } from '../stage.ts';

/** The webhooks of a stage. */
export const findWebhooks = async (host: Host, flags: StageFlags) => {
  const stage = await findStage(flags, host.clock);
  const { documents, tableNames } = stage;
  return {
    stage,
    endpoints: createEndpointStore(documents, tableNames.webhookEndpoints),
    secrets: createSecretStore(documents, tableNames.webhookSecrets, host.now),
    deliveries: createDeliveryStore(documents, tableNames.deliveries, host.now),
    events: createEventStore(documents, tableNames.events),
    due: createDueStore(documents, tableNames.due, host.now),
  };
};

export type Webhooks = Awaited<ReturnType<typeof findWebhooks>>;

/** The error for an id that no endpoint has. */
export const unknownEndpoint = (id: string): OperatorError =>
  new OperatorError(`No webhook endpoint has the id ${printable(id)}: find it with \`webhooks list\`.`);

const ENDPOINT_ID = /^we_[0-9A-Za-z]{24}$/;

/**
 * Finds an endpoint by its id alone. It reads the whole table of endpoints, which is small.
 *
 * @throws UsageError if the id is malformed
 * @throws OperatorError if there is none
 */
export const findEndpoint = async (
  host: Host,
  id: string,
  flags: StageFlags,
): Promise<Webhooks & { readonly endpoint: EndpointWithState }> => {
  if (!ENDPOINT_ID.test(id)) {
    throw new UsageError('An endpoint id is we_ and 24 letters or digits: find it with `webhooks list`.');
  }
  const webhooks = await findWebhooks(host, flags);
  const endpoint = await webhooks.endpoints.find(id);
  if (!endpoint) throw unknownEndpoint(id);
  return { ...webhooks, endpoint };
};

/** The audited change of a command of `webhooks` to an endpoint. */
export const changeOf = (
  name: string,
  { endpoint }: { readonly endpoint: WebhookEndpoint },
): AuditedChange => {
  const { endpointId, storeId, mode } = endpoint;
  return { command: `webhooks ${name}`, ids: { endpointId, storeId, mode } };
};

/** Asks before a command changes an endpoint of live mode. */
export const confirmChange = (
  host: Host,
  action: string,
  { stage, endpoint }: Pick<Webhooks, 'stage'> & { readonly endpoint: WebhookEndpoint },
  flags: YesFlag,
): Promise<void> => {
  const { endpointId, storeId, mode, url } = endpoint;
  const what = `${action} the ${mode} webhook endpoint ${endpointId} of ${storeId} (${url}) on the stage ${stage.name}`;
  return confirmLive(host, printable(what), { mode, ...flags });
};
