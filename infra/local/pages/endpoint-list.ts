import type { EndpointWithState } from '../../../lib/endpoints/endpoint-items.ts';
import { markup } from '../../../lib/pages/markup.ts';
import { filterBar } from './list-parts.ts';
import { listPages } from './live-page.ts';
import type { PageRepositories } from './page-repositories.ts';
import { endpointState } from './pills.ts';
import { ENDPOINT_FORM } from './stage-sections.ts';
import { webhookSections } from './webhook-sections.ts';

const PATH = '/endpoints';

const FILTERS = {
  state: [
    ['', 'All'],
    ['enabled', 'Enabled'],
    ['failing', 'Failing'],
    ['paused', 'Paused'],
    ['disabled', 'Disabled'],
  ],
} as const;

const matches = (endpoint: EndpointWithState, query: URLSearchParams): boolean => {
  const search = query.get('q')?.trim().toLowerCase() ?? '';
  const { endpointId, url, storeId } = endpoint;
  return (
    [endpointState(endpoint), null, ''].includes(query.get('state')) &&
    [endpointId, url, storeId].some((each) => each.toLowerCase().includes(search))
  );
};

/** Finds the list of endpoints, `/endpoints`, with the latest deliveries to them. */
export const endpointListPages = (repositories: PageRepositories) =>
  listPages(PATH, async (query) => {
    const { endpoints } = repositories;
    const list = async () => (await endpoints.list()).filter((endpoint) => matches(endpoint, query));
    return {
      title: 'Endpoints',
      before: markup`${ENDPOINT_FORM}
${filterBar({ path: PATH, query, filters: FILTERS, searches: 'Search by id or address' })}`,
      live: await webhookSections({ ...repositories, endpoints: { ...endpoints, list } }),
    };
  });
