import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import { searchOf } from './list-parts.ts';
import { listPages } from './live-page.ts';
import type { PageRepositories } from './page-repositories.ts';
import { endpointState } from './pills.ts';
import { ENDPOINT_FORM } from './stage-sections.ts';
import { webhookSections } from './webhook-sections.ts';

const LIST = {
  path: '/endpoints',
  title: 'Endpoints',
  top: ENDPOINT_FORM,
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

const matches = (endpoint: EndpointWithState, query: URLSearchParams): boolean => {
  const search = searchOf(query);
  const { endpointId, url, storeId } = endpoint;
  return (
    [endpointState(endpoint), null, ''].includes(query.get('state')) &&
    [endpointId, url, storeId].some((each) => each.toLowerCase().includes(search))
  );
};

/** Finds the list of endpoints, `/endpoints`, with the latest deliveries to them. */
export const endpointListPages = ({ endpoints, deliveries }: PageRepositories) =>
  listPages(LIST, async (query) => {
    const found = (await endpoints.list()).filter((endpoint) => matches(endpoint, query));
    return webhookSections(found, deliveries);
  });
