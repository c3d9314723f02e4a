import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { type LoggedRequest, LOGGED_REQUESTS_MAX } from '../../requests/request-log.ts';
import type { PageSources } from '../page-sources.ts';
import { breakable, cartReference, httpTone, pill, tableSection, time } from '../parts/elements.ts';
import { type ListEnd, listPages, NEWEST_SIZE, pageEnd, pageOf, searchOf } from '../parts/list-page.ts';
import { reasonLine } from './request-page.ts';

const PATH = '/requests';

const FILTERS = {
  status: [
    ['', 'All'],
    ['2', 'Succeeded'],
    ['4', 'Rejected'],
    ['5', 'Failed'],
  ],
  sender: [
    ['', 'Your programs'],
    ['any', "Include the stage's own requests"],
  ],
} as const;

const LIST = { path: PATH, title: 'Requests', filters: FILTERS, searches: 'Search by id or path' };

const NONE = 'No request from your program yet. Send the call above.';

const requestsSection = (requests: readonly LoggedRequest[], end: ListEnd): Markup =>
  tableSection({
    id: 'requests',
    heading: 'Requests',
    items: requests,
    columns: {
      Status: ({ status }) => pill(String(status), httpTone(status)),
      Request: ({ id, method, target }) =>
        markup`<a href="/requests/${id}"><span class="method">${method}</span> ${breakable(target)}</a>`,
      Cart: ({ cartId, status }) => (status === 404 ? undefined : cartId && cartReference(cartId)),
      Duration: ({ durationMs }) => markup`<span class="keep">${String(durationMs)} ms</span>`,
      When: ({ timeMs }) => time(timeMs),
    },
    lineBelow: reasonLine,
    ...end,
  });

/** Whether a program sent the request. A page in a browser counts as a program, for example the page of the contract. */
const isByProgram = ({ sender }: LoggedRequest): boolean => sender === 'program' || sender === 'browser';

/** The newest requests of programs. */
export const newestRequestsSection = ({ requests }: Pick<PageSources, 'requests'>): Markup =>
  requestsSection(requests.list().filter(isByProgram).slice(0, NEWEST_SIZE), { empty: NONE, all: PATH });

/** Whether a request has a text in its address, or at the beginning of its id or that of its cart. */
const matches = ({ id, target, cartId }: LoggedRequest, search: string): boolean =>
  target.toLowerCase().includes(search) ||
  [id, cartId].some((each) => each?.toLowerCase().startsWith(search));

/** Finds the list of requests, `/requests`. */
export const requestListPages = ({ requests }: Pick<PageSources, 'requests'>) =>
  listPages(LIST, async (query) => {
    const search = searchOf(query);
    const status = query.get('status') ?? '';
    const found = requests
      .list()
      .filter(
        (request) =>
          (query.get('sender') === 'any' || isByProgram(request)) &&
          String(request.status).startsWith(status) &&
          matches(request, search),
      );
    const page = pageOf(found, query);
    const empty = `No request from your program yet. The stage keeps the last ${LOGGED_REQUESTS_MAX}.`;
    return requestsSection(page.items, pageEnd(PATH, query, page, empty));
  });
