import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { isOpen } from '../../../lib/endpoints/breaker.ts';
import type { DeliveryRecord } from '../../../lib/deliveries/delivery.ts';
import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import { publicDeliveryId } from '../../../lib/deliveries/delivery-view.ts';
import { isBuiltIn } from '../demo/demo-webhooks.ts';
import { demoKeyOf, listHeading, requestButton, tableSection, time } from './parts.ts';
import type { PageRepositories } from './page-repositories.ts';

const ENDPOINTS_MAX = 20;
const DELIVERIES_MAX = 50;

/** A delivery with its endpoint. */
export interface Delivery extends DeliveryRecord {
  readonly endpoint: EndpointWithState;
}

/** An address without its query, which may hold a secret. */
const shownUrl = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : url;
};

/** The name of an endpoint for a person. */
export const endpointName = (endpoint: EndpointWithState): string =>
  isBuiltIn(endpoint) ? 'built-in receiver' : shownUrl(endpoint.url);

const stateOf = ({ disabled, state }: EndpointWithState): Markup | string => {
  if (disabled) return `disabled (${disabled.reason})`;
  const { failures, probeAtMs } = state;
  if (!isOpen(state)) return failures === 0 ? 'enabled' : `enabled, failures in a row: ${failures}`;
  return markup`paused after ${String(failures)} failures, next attempt ${probeAtMs === undefined ? 'soon' : time(probeAtMs)}`;
};

/** The buttons of an endpoint whose store has a demo key. The built-in receiver would not come back after a removal. */
const actions = (endpoint: EndpointWithState): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined) return undefined;
  const path = `/api/v1/stores/webhook-endpoints/${endpoint.endpointId}`;
  const test = { apiKey, path: `${path}/test`, done: 'The test event is on its way.' };
  const remove = { apiKey, method: 'DELETE', path, done: 'The endpoint is removed.' } as const;
  return markup`${!endpoint.disabled && requestButton('Send a test event', test)} ${!isBuiltIn(endpoint) && requestButton('Remove', remove)}`;
};

const STYLES: Readonly<Record<DeliveryRecord['status'], string>> = {
  succeeded: 'good',
  retrying: 'warn',
  waiting: 'warn',
  failed: 'bad',
  dropped: 'bad',
};

/** The pill of a delivery. The built-in receiver has verified the signature of one that succeeded. */
export const deliveryPill = ({ status, endpoint }: Delivery): Markup =>
  markup`<span class="pill ${STYLES[status]}">${status === 'succeeded' && isBuiltIn(endpoint) ? 'signature verified' : status}</span>`;

/** When the next attempt comes. A delivery to a paused endpoint waits for the endpoint's. */
const nextAttempt = ({ status, nextAttemptAtMs, endpoint }: Delivery): Markup | undefined => {
  const probeAtMs = isOpen(endpoint.state) ? endpoint.state.probeAtMs : undefined;
  const atMs = status === 'waiting' ? probeAtMs : nextAttemptAtMs;
  return atMs === undefined ? undefined : markup` next attempt ${time(atMs)}`;
};

/** The section of these deliveries. */
export const deliveriesSection = (
  heading: string,
  deliveries: readonly Delivery[],
  empty: string | Markup,
): Markup =>
  tableSection({
    id: 'deliveries',
    heading,
    items: deliveries,
    columns: {
      Recorded: ({ recordedAtMs }) => time(recordedAtMs),
      Event: (delivery) =>
        markup`<a href="/deliveries/${delivery.endpointId}/${publicDeliveryId(delivery)}">${delivery.type}</a>`,
      Endpoint: ({ endpoint }) => endpointName(endpoint),
      State: (delivery) => markup`${deliveryPill(delivery)}${nextAttempt(delivery)}`,
      'Last response': ({ attempts }) => {
        const last = attempts.at(-1);
        return last && `attempt ${last.attempt}: ${last.status ?? last.error} in ${last.ms} ms`;
      },
      Store: ({ endpoint }) => endpoint.storeId,
    },
    empty,
  });

const NO_ENDPOINT = markup`There is no endpoint yet. Enter an address below. A stage that starts on new data without <code>--no-receiver</code> has a built-in receiver.`;

const endpointsSection = (endpoints: readonly EndpointWithState[]): Markup =>
  tableSection({
    id: 'endpoints',
    heading: listHeading('Webhook endpoints', endpoints, ENDPOINTS_MAX),
    items: endpoints,
    columns: {
      Address: endpointName,
      Store: ({ storeId }) => storeId,
      Mode: ({ mode }) => mode,
      Events: ({ events }) => events?.join(', ') ?? 'all events',
      State: (endpoint) => markup`${stateOf(endpoint)} ${actions(endpoint)}`,
      Id: ({ endpointId }) => endpointId,
    },
    empty: NO_ENDPOINT,
  });

/** Lists endpoints with their latest deliveries, the newest first. */
const latestDeliveries = async (
  endpoints: readonly EndpointWithState[],
  deliveries: PageRepositories['deliveries'],
): Promise<readonly Delivery[]> => {
  const lists = await Promise.all(
    endpoints.map(async (endpoint): Promise<Delivery[]> => {
      const records = await deliveries.listOf(endpoint.endpointId, { limit: DELIVERIES_MAX });
      return records.map((record) => ({ ...record, endpoint }));
    }),
  );
  return lists.flat().toSorted((a, b) => b.recordedAtMs - a.recordedAtMs);
};

/** The latest deliveries, and the webhook endpoints. They show no secret, no query and no response's text. */
export const webhookSections = async ({ endpoints, deliveries }: PageRepositories): Promise<Markup> => {
  const shown = (await endpoints.list())
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
    .slice(0, ENDPOINTS_MAX);
  const latest = (await latestDeliveries(shown, deliveries)).slice(0, DELIVERIES_MAX);
  const nextStep = shown.some(({ disabled }) => !disabled)
    ? 'There is no delivery yet. Create a test cart, and pay: its webhook appears here.'
    : 'No endpoint is enabled. Enter an address below.';
  const heading = listHeading('Webhook deliveries', latest, DELIVERIES_MAX);
  return markup`${[deliveriesSection(heading, latest, nextStep), endpointsSection(shown)]}`;
};
