import { publicDeliveryId } from '../../../../lib/deliveries/records/delivery-view.ts';
import type { DeliveryRecord } from '../../../../lib/deliveries/records/delivery.ts';
import { isOpen } from '../../../../lib/endpoints/breaker.ts';
import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { isBuiltIn } from '../../demo/receiver.ts';
import type { PageSources } from '../page-sources.ts';
import { pill, tableSection, time, type Tone } from '../parts/elements.ts';
import { attemptHint, attemptText } from './attempt-text.ts';
import { endpointReference } from './endpoint-parts.ts';

/** The most deliveries of a list. */
export const DELIVERIES_MAX = 50;

/** A delivery with its endpoint. */
export interface Delivery extends DeliveryRecord {
  readonly endpoint: EndpointWithState;
}

const TONES: Readonly<Record<DeliveryRecord['status'], Tone>> = {
  succeeded: 'good',
  retrying: 'warn',
  waiting: 'warn',
  failed: 'bad',
  dropped: 'bad',
};

/** The state of a delivery in one or two words. The built-in receiver accepts a delivery only if its signature is valid. */
export const deliveryText = ({ status, endpoint }: Delivery): string =>
  status === 'succeeded' && isBuiltIn(endpoint) ? 'signature verified' : status;

/** The pill of a delivery, or of several in the same state. */
export const deliveryPill = (delivery: Delivery, count = 1): Markup =>
  pill(`${count > 1 ? `${count} ` : ''}${deliveryText(delivery)}`, TONES[delivery.status]);

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

/** The latest deliveries of an endpoint, the newest first. */
export const deliveriesOf = async (
  endpoint: EndpointWithState,
  deliveries: PageSources['deliveries'],
): Promise<readonly Delivery[]> => {
  const records = await deliveries.listOf(endpoint.endpointId, { limit: DELIVERIES_MAX });
  return records.map((record) => ({ ...record, endpoint }));
};
