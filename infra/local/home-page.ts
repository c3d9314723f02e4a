import { createHash } from 'node:crypto';
import { type Markup, markup, trusted } from '../../lib/sandbox/markup.ts';
import { isOpen } from '../../lib/webhooks/breaker.ts';
import type { DeliveryRecord } from '../../lib/webhooks/delivery.ts';
import type { DeliveryStore } from '../../lib/webhooks/delivery-store.ts';
import type { EndpointWithState } from '../../lib/webhooks/endpoint-items.ts';
import type { EndpointStore } from '../../lib/webhooks/endpoint-store.ts';
import type { ApiResponse } from './gateway/response.ts';

const ENDPOINTS_MAX = 20;
const DELIVERIES_MAX = 50;

export interface HomePageStores {
  readonly endpoints: Pick<EndpointStore, 'list'>;
  readonly deliveries: Pick<DeliveryStore, 'listOf'>;
}

interface Delivery extends DeliveryRecord {
  readonly endpoint: EndpointWithState;
}

const STYLESHEET = `
:root { color-scheme: light dark; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid #8884; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
`.replaceAll('\n', ' ');

/** The page has no script, form, image or frame, and loads nothing. */
const SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLESHEET).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = (status: number, content: Markup): ApiResponse => ({
  status,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', SECURITY_POLICY],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body: markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cart Checkout on this machine</title>
<style>${trusted(STYLESHEET)}</style>
</head>
<body>
<h1>Cart Checkout on this machine</h1>
<p><a href="/docs">Read and try the API</a> · <a href="/openapi.json">OpenAPI contract</a> · <a href="/">Reload this page</a></p>
${content}
</body>
</html>
`.toString(),
});

const timeText = (timeMs: number): string => new Date(timeMs).toISOString().replace('T', ' ');

/** An address without its query, which may hold a secret. */
const shownUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const stateText = ({ disabled, state }: EndpointWithState): string => {
  if (disabled) return `disabled (${disabled.reason})`;
  const { failures, probeAtMs } = state;
  if (!isOpen(state)) return failures === 0 ? 'enabled' : `enabled, ${failures} failures in a row`;
  return `paused after ${failures} failures, next probe ${probeAtMs === undefined ? 'soon' : timeText(probeAtMs)}`;
};

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): Markup => markup`<table>
<thead><tr>${headings.map((heading) => markup`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;

const endpointRow = (endpoint: EndpointWithState): readonly string[] => [
  endpoint.storeId,
  endpoint.mode,
  shownUrl(endpoint.url),
  endpoint.events?.join(', ') ?? 'all',
  stateText(endpoint),
  endpoint.endpointId,
];

const deliveryRow = ({ endpoint, ...delivery }: Delivery): readonly string[] => {
  const { attempts, nextAttemptAtMs } = delivery;
  const last = attempts.at(-1);
  const next = nextAttemptAtMs === undefined ? '' : `, next attempt ${timeText(nextAttemptAtMs)}`;
  return [
    timeText(delivery.recordedAtMs),
    delivery.type,
    delivery.eventId,
    `${endpoint.storeId}, ${shownUrl(endpoint.url)}`,
    delivery.status + next,
    String(last?.attempt ?? 0),
    last ? `${last.status ?? last.error} in ${last.ms} ms` : '',
  ];
};

const endpointsSection = (endpoints: readonly EndpointWithState[]): Markup =>
  endpoints.length === 0
    ? markup`<p>There is no webhook endpoint. Start the stage with <code>npm start -- --webhook http://127.0.0.1:8080/hook</code>,
or create one with <code>npm run operate -- webhooks create</code>.</p>`
    : table(['Store', 'Mode', 'Address', 'Events', 'State', 'Id'], endpoints.map(endpointRow));

const deliveriesSection = (deliveries: readonly Delivery[]): Markup =>
  deliveries.length === 0
    ? markup`<p>There is no delivery yet. Pay a test cart, and reload this page.</p>`
    : table(
        ['Event', 'Type', 'Event id', 'Endpoint', 'State', 'Attempt', 'Last response'],
        deliveries.map(deliveryRow),
      );

const overview = async ({ endpoints, deliveries }: HomePageStores): Promise<Markup> => {
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
  return markup`<h2>Webhook endpoints</h2>
${endpointsSection(shown)}
${hidden > 0 && markup`<p>${String(hidden)} older endpoints are not shown.</p>`}
<h2>Latest deliveries</h2>
${deliveriesSection(latest.slice(0, DELIVERIES_MAX))}`;
};

/** Creates the function that renders the page at `/`: the webhook endpoints and their latest deliveries. */
export const homePage = (stores: HomePageStores) => async (): Promise<ApiResponse> => {
  try {
    return page(200, await overview(stores));
  } catch {
    return page(503, markup`<p>The database does not respond. Reload this page in a moment.</p>`);
  }
};
