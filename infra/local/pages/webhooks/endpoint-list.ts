import type { EndpointWithState } from '../../../../lib/endpoints/endpoint.ts';
import { markup, type Markup } from '../../../../lib/pages/markup.ts';
import { DEMO_STORES } from '../../../local-access/demo-stores.ts';
import type { PageSources } from '../page-sources.ts';
import { listHeading, storeCell, tableSection } from '../parts/elements.ts';
import { listPages, searchOf } from '../parts/list-page.ts';
import { DELIVERIES_MAX, deliveriesOf, deliveriesSection } from './delivery-parts.ts';
import {
  byNewest,
  endpointReference,
  endpointState,
  endpointStatus,
  removeButton,
  testButton,
} from './endpoint-parts.ts';

const ROWS_MAX = 20;

/** The form that sends the events of a demo store to an address of the user. */
const FORM = markup`
<section>
<h2>Send webhooks to your own program</h2>
<form id="endpoint" class="row" method="post" action="/endpoints">
<label for="url">Address</label>
<input id="url" name="url" type="url" required placeholder="http://127.0.0.1:8080/hook">
<span class="row"><label for="store">Store</label>
<select id="store" name="store">${DEMO_STORES.map(({ id }) => markup`<option>${id}</option>`)}</select></span>
<button class="primary">Add the endpoint</button>
</form>
<p class="soft">Its page then has the secret, and the command that starts a receiver in Node.js, Python or PHP.</p>
</section>`;

const LIST = {
  path: '/endpoints',
  title: 'Endpoints',
  top: FORM,
  filters: {
    state: [
      ['', 'All'],
      ['enabled', 'Enabled'],
      ['failing', 'Failing'],
      ['paused', 'Paused'],
      ['disabled', 'Disabled'],
    ],
  },
  searches: 'Search by id or address',
} as const;

const NO_ENDPOINT = markup`There is no endpoint yet. Enter an address above. A stage that starts on new data without <code>--no-receiver</code> has a built-in receiver.`;

const endpointsSection = (endpoints: readonly EndpointWithState[]): Markup =>
  tableSection({
    id: 'endpoints',
    heading: listHeading('Webhook endpoints', endpoints, ROWS_MAX),
    items: endpoints,
    columns: {
      Address: endpointReference,
      Store: storeCell,
      Events: ({ eventTypes }) => (eventTypes ? `${eventTypes.length} types` : 'all'),
      State: endpointStatus,
      Actions: (endpoint) => markup`${testButton(endpoint, 'Send a test event')} ${removeButton(endpoint)}`,
    },
    empty: NO_ENDPOINT,
  });

const matches = (endpoint: EndpointWithState, query: URLSearchParams): boolean => {
  const search = searchOf(query);
  const { endpointId, url, storeId } = endpoint;
  return (
    [endpointState(endpoint), null, ''].includes(query.get('state')) &&
    [endpointId, url, storeId].some((each) => each.toLowerCase().includes(search))
  );
};

/** Finds the list of endpoints, `/endpoints`, with the latest deliveries to them. It shows no secret and no query. */
export const endpointListPages = ({ endpoints, deliveries }: PageSources) =>
  listPages(LIST, async (query) => {
    const found = (await endpoints.list()).filter((endpoint) => matches(endpoint, query));
    const shown = found.toSorted(byNewest).slice(0, ROWS_MAX);
    const lists = await Promise.all(shown.map((endpoint) => deliveriesOf(endpoint, deliveries)));
    const latest = lists
      .flat()
      .toSorted((a, b) => b.recordedAtMs - a.recordedAtMs)
      .slice(0, DELIVERIES_MAX);
    const nextStep = shown.some(({ disabled }) => !disabled)
      ? 'There is no delivery yet. Create a test cart, and pay: its webhook appears here.'
      : 'No endpoint is enabled. Enter an address above.';
    const heading = listHeading('Webhook deliveries', latest, DELIVERIES_MAX);
    return markup`${[endpointsSection(shown), deliveriesSection(heading, latest, nextStep)]}`;
  });
