import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { isOpen } from '../../../lib/webhooks/breaker.ts';
import type { DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import type { DeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { EndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { row, table, time } from './table.ts';

const ENDPOINTS_MAX = 20;
const DELIVERIES_MAX = 50;

export interface WebhookStores {
  readonly endpoints: Pick<EndpointStore, 'list'>;
  readonly deliveries: Pick<DeliveryStore, 'listOf'>;
}

interface Delivery extends DeliveryRecord {
  readonly endpoint: EndpointWithState;
}

/** An address without its query, which may hold a secret. */
export const shownUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const stateOf = ({ disabled, state }: EndpointWithState): Markup | string => {
  if (disabled) return `disabled (${disabled.reason})`;
  const { failures, probeAtMs } = state;
  if (!isOpen(state)) return failures === 0 ? 'enabled' : `enabled, ${failures} failures in a row`;
  return markup`paused after ${String(failures)} failures, next probe ${probeAtMs === undefined ? 'soon' : time(probeAtMs)}`;
};

const endpointRow = (endpoint: EndpointWithState): Markup =>
  row([
    endpoint.storeId,
    endpoint.mode,
    shownUrl(endpoint.url),
    endpoint.events?.join(', ') ?? 'all events',
    stateOf(endpoint),
    endpoint.endpointId,
  ]);

const deliveryRow = ({ endpoint, ...delivery }: Delivery): Markup => {
  const { attempts, nextAttemptAtMs } = delivery;
  const last = attempts.at(-1);
  return row([
    time(delivery.recordedAtMs),
    markup`${delivery.type}<br><span class="soft">${delivery.eventId}</span>`,
    `${endpoint.storeId}, ${shownUrl(endpoint.url)}`,
    nextAttemptAtMs === undefined
      ? delivery.status
      : markup`${delivery.status}, next attempt ${time(nextAttemptAtMs)}`,
    last ? `attempt ${last.attempt}: ${last.status ?? last.error} in ${last.ms} ms` : '',
  ]);
};

const endpointsContent = (endpoints: readonly EndpointWithState[]): Markup =>
  endpoints.length === 0
    ? markup`<p>There is no webhook endpoint. Start the stage with <code>npm start -- --webhook http://127.0.0.1:8080/hook</code>,
or create one with <code>npm run operate -- webhooks create</code>.</p>`
    : table('endpoints', ['Store', 'Mode', 'Address', 'Events', 'State', 'Id'], endpoints.map(endpointRow));

const deliveriesContent = (deliveries: readonly Delivery[]): Markup =>
  deliveries.length === 0
    ? markup`<p>There is no delivery yet. Pay a test cart to cause one.</p>`
    : table(
        'deliveries',
        ['Recorded (UTC)', 'Event', 'Endpoint', 'State', 'Last response'],
        deliveries.map(deliveryRow),
      );

/** The webhook endpoints and their latest deliveries. It shows no secret, no query and no response's text. */
export const webhooksSection = async ({ endpoints, deliveries }: WebhookStores): Promise<Markup> => {
  const all = (await endpoints.list()).toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const shown = all.slice(0, ENDPOINTS_MAX);
  const lists = await Promise.all(
    shown.map(async (endpoint): Promise<Delivery[]> => {
      const records = await deliveries.listOf(endpoint.endpointId, { limit: DELIVERIES_MAX });
      return records.map((record) => ({ ...record, endpoint }));
    }),
  );
  const latest = lists.flat().toSorted((a, b) => b.recordedAtMs - a.recordedAtMs);
  const hidden = all.length - shown.length;
  return markup`
<section>
<h2 id="endpoints">Webhook endpoints</h2>
${endpointsContent(shown)}
${hidden > 0 && markup`<p>${String(hidden)} older endpoints are not shown.</p>`}
</section>
<section>
<h2 id="deliveries">Latest deliveries</h2>
${deliveriesContent(latest.slice(0, DELIVERIES_MAX))}
</section>`;
};
