import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { createChecklist } from '../../../../infra/local/checklist/checklist.ts';
import type { Checks } from '../../../../infra/local/checklist/endpoint-check.ts';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { createPageSources } from '../../../../infra/local/pages/page-sources.ts';
import { stagePages } from '../../../../infra/local/pages/stage-pages.ts';
import { createRequestLog } from '../../../../infra/local/requests/request-log.ts';
import { createCartRepositories } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { givenGateway } from '../../../support/http/gateway-client.ts';

export const BASE_URL = 'http://127.0.0.1:3000';

export const OPTIONS = { data: 'memory', checkoutUrl: 'https://pay.example' };

export const DEMO_LOG = { storeId: DEMO_STORES[0].id, mode: 'test' } as const;

/** A request without a route. */
export const SERVED: ServedRequest = {
  requestId: '00000000-0000-4000-8000-000000000099',
  receivedAtMs: NOW_MS,
  durationMs: 5,
  method: 'GET',
  target: '/api/v1/nothing',
  rawHeaders: [],
  body: undefined,
  match: undefined,
  response: {
    status: 404,
    headers: [['Content-Type', 'application/json']],
    body: '{"code":"NOT_FOUND","message":"There is no such path."}',
  },
};

/** A request that created a cart. */
export const createdBy = (cartId: string): ServedRequest => ({
  ...SERVED,
  response: { status: 201, headers: SERVED.response.headers, body: JSON.stringify({ cart: { id: cartId } }) },
});

/** A cart's id. */
export const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** The text of a page, without its elements. */
export const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '');

/** The cells of the table under a heading, by the label of each. */
export const rowsOf = (html: string, id: string): Record<string, string>[] => {
  const [, section = ''] = html.split(`aria-labelledby="${id}"`);
  const [body = ''] = section.split('</tbody>');
  return [...body.matchAll(/<tr role="row"(?: class="(?!below)[^"]*")?>(<td.*?)<\/tr>/gs)].map(
    ([, cells = '']) =>
      Object.fromEntries(
        [...cells.matchAll(/data-label="([^"]*)">(.*?)<\/td>/gs)].map(([, name, cell = '']) => [
          name,
          textOf(cell),
        ]),
      ),
  );
};

/** The pages of the dashboard on tables of their own, at {@link NOW_MS}. */
export const givenDashboard = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const now = () => NOW_MS;
  const requests = createRequestLog();
  const steps = createChecklist({}, () => undefined);
  const checks: Checks = new Map();
  const memory = { requests, checklist: steps, checks };
  const stage = { documents, tableNames, now };
  const tables = { cartsTable: tableNames.carts, testCartsTable: tableNames.testCarts };
  const carts = createCartRepositories(documents, tables, now);
  const findPage = stagePages(stage, memory, OPTIONS)(BASE_URL);
  const { baseUrl } = await givenGateway({}, { pages: () => findPage });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(baseUrl + path, { headers });
  return {
    database,
    requests,
    checks,
    sources: createPageSources(stage, memory),
    get,
    text: async (path = '/') => (await get(path)).text(),
    /** Stores a cart, by default one of the first demo store that waits for its payment. */
    putCart: async (changes: Partial<Cart>): Promise<Cart> => {
      const cart = waitingCart({ ...DEMO_LOG, expiresAtMs: NOW_MS + 60_000, ...changes });
      await carts[cart.mode].create(cart);
      return cart;
    },
  };
};
