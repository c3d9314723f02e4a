import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { CART_EVENT_TYPES } from '../../../../lib/events/event-types.ts';
import { logKey, type LoggedEvent } from '../../../../lib/events/logged-event.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { MODES, type StoreMode } from '../../../../lib/stores/mode.ts';
import { DEMO_STORES } from '../../../local-access/demo-stores.ts';
import type { PageSources } from '../page-sources.ts';
import { cartReference, storeCell, tableSection, time } from '../parts/elements.ts';
import { type ListEnd, listPages, NEWEST_SIZE, pageEnd, pageOf, searchOf } from '../parts/list-page.ts';
import { type Delivery, deliveryPath, deliveryPill, deliveryText } from './delivery-parts.ts';
import { byNewest, endpointName } from './endpoint-parts.ts';

const PATH = '/events';

const FILTERS = {
  type: [
    ['', 'All'],
    ...CART_EVENT_TYPES.map((type) => [type, type] as const),
    ['webhook_endpoint', 'Endpoints'],
  ],
} as const;

const LIST = { path: PATH, title: 'Events', filters: FILTERS, searches: 'Search by event or cart id' };

/** The latest events of each log that the list has. A page without a filter reads {@link UNFILTERED_MAX}. */
const EVENTS_MAX = 500;
const UNFILTERED_MAX = 60;

/** The logs of the demo stores, and of all stores with endpoints or new carts. */
const logsOf = (endpoints: readonly StoreMode[], carts: readonly StoreMode[]): readonly StoreMode[] => {
  const demo = DEMO_STORES.flatMap(({ id: storeId }) => MODES.map((mode) => ({ storeId, mode })));
  return [
    ...new Map(
      [...demo, ...endpoints, ...carts].map(({ storeId, mode }) => [
        logKey({ storeId, mode }),
        { storeId, mode },
      ]),
    ).values(),
  ];
};

/** The latest events of logs, the newest first. */
const newestEvents = async (
  logs: readonly StoreMode[],
  eventsMax: number,
  { latestEvents }: PageSources,
): Promise<readonly LoggedEvent[]> => {
  const lists = await Promise.all(logs.map((log) => latestEvents(log, eventsMax)));
  return lists.flat().toSorted((a, b) => b.recordedAtMs - a.recordedAtMs || b.sequence - a.sequence);
};

/** The deliveries of events, by the ids of the events. */
const deliveriesByEvent = async (
  shown: readonly LoggedEvent[],
  endpoints: readonly EndpointWithState[],
  { deliveries }: PageSources,
): Promise<ReadonlyMap<string, readonly Delivery[]>> => {
  const times = shown.map(({ recordedAtMs }) => recordedAtMs);
  const lists = await Promise.all(
    endpoints.toSorted(byNewest).map(async (endpoint) => {
      const range = { sinceMs: Math.min(...times), beforeMs: Math.max(...times) + 1, limit: 100 };
      const records = times.length === 0 ? [] : await deliveries.listOf(endpoint.endpointId, range);
      return records.map((record) => ({ ...record, endpoint }));
    }),
  );
  return Map.groupBy(lists.flat(), ({ eventId }) => eventId);
};

/** One link for each state. It leads to the delivery, or to a page that lists them if several have the state. */
const deliveryLinks = (deliveries: readonly Delivery[], cartId: string | undefined): readonly Markup[] =>
  [...Map.groupBy(deliveries, deliveryText).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const several = cartId === undefined ? '/endpoints' : `/carts/${cartId}`;
    const href = others.length === 0 ? deliveryPath(first) : several;
    const names = [first, ...others].map(({ endpoint }) => endpointName(endpoint)).join(', ');
    return markup`<a href="${href}" title="${names}">${deliveryPill(first, others.length + 1)}</a> `;
  });

const eventsSection = async (
  shown: readonly LoggedEvent[],
  endpoints: readonly EndpointWithState[],
  sources: PageSources,
  end: ListEnd,
): Promise<Markup> => {
  const byEvent = await deliveriesByEvent(shown, endpoints, sources);
  return tableSection({
    id: 'events',
    heading: 'Events',
    items: shown,
    columns: {
      Event: ({ type }) => type,
      Cart: ({ cartId }) => cartId && cartReference(cartId),
      Webhooks: ({ id, cartId }) => markup`${deliveryLinks(byEvent.get(id) ?? [], cartId)}`,
      Store: storeCell,
      Recorded: ({ recordedAtMs }) => time(recordedAtMs),
      Id: ({ id }) => markup`<span class="keep" title="${id}">${id.slice(0, 12)}…</span>`,
    },
    ...end,
  });
};

const NONE = 'Nothing yet. Pay, decline or let a cart expire.';

/** The section of the dashboard with the newest events and their webhooks. */
export const newestEventsSection = async (
  carts: readonly StoreMode[],
  endpoints: readonly EndpointWithState[],
  sources: PageSources,
): Promise<Markup> => {
  const events = await newestEvents(logsOf(endpoints, carts), NEWEST_SIZE, sources);
  const end = { empty: NONE, all: PATH };
  return eventsSection(events.slice(0, NEWEST_SIZE), endpoints, sources, end);
};

const matches = ({ id, type, cartId = '' }: LoggedEvent, query: URLSearchParams): boolean => {
  const search = searchOf(query);
  return type.startsWith(query.get('type') ?? '') && [id, cartId].some((each) => each.startsWith(search));
};

/** Finds the list of events, `/events`. */
export const eventListPages = (sources: PageSources) =>
  listPages(LIST, async (query) => {
    const [carts, endpoints] = await Promise.all([
      sources.newestCarts(NEWEST_SIZE),
      sources.endpoints.list(),
    ]);
    const logs = logsOf(endpoints, carts);
    const events = await newestEvents(logs, query.size === 0 ? UNFILTERED_MAX : EVENTS_MAX, sources);
    const found = events.filter((event) => matches(event, query));
    const page = pageOf(found, query);
    return eventsSection(page.items, endpoints, sources, pageEnd(PATH, query, page, NONE));
  });
