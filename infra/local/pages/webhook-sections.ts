import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { isOpen } from '../../../lib/endpoints/breaker.ts';
import type { DeliveryRecord } from '../../../lib/deliveries/delivery.ts';
import { PING_TYPE } from '../../../lib/deliveries/queue-message.ts';
import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import { publicDeliveryId } from '../../../lib/deliveries/delivery-view.ts';
import { isBuiltIn } from '../demo/demo-webhooks.ts';
import { attemptHint, attemptText } from './attempt-text.ts';
import { demoKeyOf, listHeading, requestButton, tableSection, time } from './parts.ts';
import type { PageRepositories } from './page-repositories.ts';
import { endpointPill, pill, type Tone } from './pills.ts';

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

/** The name of an endpoint without its protocol. */
export const shortEndpointName = (endpoint: EndpointWithState): string =>
  endpointName(endpoint).replace(/^https?:\/\//, '');

/** Orders endpoints: those of the user, the newest first, then the built-in receivers by their stores. */
export const byNewest = (a: EndpointWithState, b: EndpointWithState): number =>
  Number(isBuiltIn(a)) - Number(isBuiltIn(b)) ||
  (isBuiltIn(a) ? a.storeId.localeCompare(b.storeId) : b.createdAtMs - a.createdAtMs);

/** An endpoint as a link to its page. */
export const endpointReference = (endpoint: EndpointWithState): Markup =>
  markup`<a href="/endpoints/${endpoint.endpointId}">${endpointName(endpoint)}</a>`;

/** The pill of an endpoint, and why it gets no or few events. */
export const endpointStatus = (endpoint: EndpointWithState): Markup => {
  const { disabled, state } = endpoint;
  const { failures, probeAtMs } = state;
  const next = probeAtMs === undefined ? 'soon' : time(probeAtMs);
  if (disabled) return markup`${endpointPill(endpoint)} ${disabled.reason}`;
  if (isOpen(state))
    return markup`${endpointPill(endpoint)} Your server failed ${String(failures)} times. Next try due ${next}`;
  return markup`${endpointPill(endpoint)}${failures > 0 && ` ${failures} ${failures === 1 ? 'failure' : 'failures in a row'}`}`;
};

/** The path of an endpoint in the API. */
export const apiPath = ({ endpointId }: EndpointWithState): string =>
  `/api/v1/stores/webhook-endpoints/${endpointId}`;

/** A button that sends a test event of a type to an endpoint that the key of a demo store may test. */
export const testButton = (
  endpoint: EndpointWithState,
  text: string,
  type = PING_TYPE,
): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || endpoint.disabled) return undefined;
  const path = `${apiPath(endpoint)}/test?eventType=${type}`;
  return requestButton(text, { apiKey, path, done: 'The test event is on its way.' });
};

/** A button that removes an endpoint of a demo store. The built-in receiver would not come back. */
export const removeButton = (endpoint: EndpointWithState): Markup | undefined => {
  const apiKey = demoKeyOf(endpoint);
  if (apiKey === undefined || isBuiltIn(endpoint)) return undefined;
  const remove = { apiKey, method: 'DELETE', path: apiPath(endpoint) } as const;
  return requestButton('Remove', {
    ...remove,
    question: 'Remove this endpoint, with its deliveries?',
    done: 'The endpoint is removed.',
  });
};

const TONES: Readonly<Record<DeliveryRecord['status'], Tone>> = {
  succeeded: 'good',
  retrying: 'warn',
  waiting: 'warn',
  failed: 'bad',
  dropped: 'bad',
};

/** The pill of a delivery. The built-in receiver has verified the signature of one that succeeded. */
export const deliveryPill = ({ status, endpoint }: Delivery): Markup =>
  pill(status === 'succeeded' && isBuiltIn(endpoint) ? 'signature verified' : status, TONES[status]);

/** The time of the next attempt. A delivery to a paused endpoint waits for the probe of the endpoint. */
export const nextAttempt = ({ status, nextAttemptAtMs, endpoint }: Delivery): Markup | undefined => {
  const probeAtMs = isOpen(endpoint.state) ? endpoint.state.probeAtMs : undefined;
  const atMs = status === 'waiting' ? probeAtMs : nextAttemptAtMs;
  return atMs === undefined ? undefined : time(atMs);
};

/** The path of the page of a delivery. */
export const deliveryPath = (delivery: Delivery): string =>
  `/deliveries/${delivery.endpointId}/${publicDeliveryId(delivery)}`;

/** The pill of a delivery, with the result of its last attempt and the time of the next one. */
export const deliveryState = (delivery: Delivery): Markup => {
  const last = delivery.attempts.at(-1);
  const next = nextAttempt(delivery);
  return markup`${deliveryPill(delivery)} ${last && markup`<span class="keep">${attemptText(last)}</span>`} ${next && markup`<span class="keep">next try due ${next}</span>`}`;
};

/** Why the last attempt of a delivery failed: what to check, or the beginning of the response. */
const reasonOf = ({ attempts, status, endpoint }: Delivery): string | undefined => {
  const last = attempts.at(-1);
  return last && status !== 'succeeded' ? (attemptHint(last, endpoint.url) ?? last.response) : undefined;
};

type DeliveryColumns = Readonly<Record<string, (delivery: Delivery) => Markup | string>>;

/** The columns for the endpoint of a delivery. */
const ENDPOINT_COLUMNS: DeliveryColumns = {
  Endpoint: ({ endpoint }) => endpointReference(endpoint),
  Store: ({ endpoint }) => endpoint.storeId,
};

/** The section of these deliveries, by default of several endpoints. */
export const deliveriesSection = (
  heading: string,
  deliveries: readonly Delivery[],
  empty: string | Markup,
  further: DeliveryColumns = ENDPOINT_COLUMNS,
): Markup =>
  tableSection({
    id: 'deliveries',
    heading,
    items: deliveries,
    columns: {
      Event: (delivery) => markup`<a href="${deliveryPath(delivery)}">${delivery.type}</a>`,
      State: deliveryState,
      ...further,
      Recorded: ({ recordedAtMs }) => time(recordedAtMs),
    },
    lineBelow: reasonOf,
    empty,
  });

const NO_ENDPOINT = markup`There is no endpoint yet. Enter an address above. A stage that starts on new data without <code>--no-receiver</code> has a built-in receiver.`;

const endpointsSection = (endpoints: readonly EndpointWithState[]): Markup =>
  tableSection({
    id: 'endpoints',
    heading: listHeading('Webhook endpoints', endpoints, ENDPOINTS_MAX),
    items: endpoints,
    columns: {
      Address: endpointReference,
      Store: ({ storeId }) => storeId,
      Mode: ({ mode }) => mode,
      Events: ({ events }) => (events ? `${events.length} types` : 'all'),
      State: endpointStatus,
      Actions: (endpoint) => markup`${testButton(endpoint, 'Send a test event')} ${removeButton(endpoint)}`,
    },
    empty: NO_ENDPOINT,
  });

/** The latest deliveries of an endpoint, the newest first. */
export const deliveriesOf = async (
  endpoint: EndpointWithState,
  deliveries: PageRepositories['deliveries'],
): Promise<readonly Delivery[]> => {
  const records = await deliveries.listOf(endpoint.endpointId, { limit: DELIVERIES_MAX });
  return records.map((record) => ({ ...record, endpoint }));
};

/** The latest deliveries of endpoints, the newest first. */
const latestDeliveries = async (
  endpoints: readonly EndpointWithState[],
  deliveries: PageRepositories['deliveries'],
): Promise<readonly Delivery[]> => {
  const lists = await Promise.all(endpoints.map((endpoint) => deliveriesOf(endpoint, deliveries)));
  return lists.flat().toSorted((a, b) => b.recordedAtMs - a.recordedAtMs);
};

/** These webhook endpoints, and the latest deliveries to them. They show no secret and no query. */
export const webhookSections = async (
  endpoints: readonly EndpointWithState[],
  deliveries: PageRepositories['deliveries'],
): Promise<Markup> => {
  const shown = endpoints.toSorted(byNewest).slice(0, ENDPOINTS_MAX);
  const latest = (await latestDeliveries(shown, deliveries)).slice(0, DELIVERIES_MAX);
  const nextStep = shown.some(({ disabled }) => !disabled)
    ? 'There is no delivery yet. Create a test cart, and pay: its webhook appears here.'
    : 'No endpoint is enabled. Enter an address above.';
  const heading = listHeading('Webhook deliveries', latest, DELIVERIES_MAX);
  return markup`${[endpointsSection(shown), deliveriesSection(heading, latest, nextStep)]}`;
};
