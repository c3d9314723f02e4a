import type { Server } from 'node:http';
import { join } from 'node:path';
import type { HttpRequest } from '../../http/load.ts';
import { BUYER } from '../../../../support/secrets.ts';
import { loadPackage } from '../packages.ts';
import { baseUrlOf, dataFolder, HOST, type ReadyPeer, runPeer, sendOnce } from '../peer-process.ts';
import { INITIAL_DATA, writeProducts } from './catalogue.ts';

interface Core {
  bootstrap(config: object): Promise<{ getHttpServer(): Server }>;
}

interface Cli {
  populate(
    bootstrap: () => ReturnType<Core['bootstrap']>,
    initialData: object,
    productsFile: string,
  ): ReturnType<Core['bootstrap']>;
}

interface Database {
  pragma(text: string): unknown;
}

const configOf = (folder: string): object => ({
  apiOptions: { hostname: HOST, port: 0 },
  authOptions: {
    cookieOptions: { secret: 'bench' },
    // Vendure does not start in production with its default password.
    superadminCredentials: { identifier: 'bench', password: 'bench' },
  },
  dbConnectionOptions: {
    type: 'better-sqlite3',
    database: join(folder, 'vendure.sqlite'),
    synchronize: true,
    // The database of the local stage does the same: a write-ahead log that each commit waits for.
    enableWAL: true,
    prepareDatabase: (database: Database) => database.pragma('synchronous = FULL'),
  },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [],
});

/** The fields that a retrieval of the service shows too. */
const ORDER_FIELDS = `id code state createdAt updatedAt currencyCode totalWithTax
  customer { firstName lastName emailAddress phoneNumber }
  lines { id quantity linePriceWithTax productVariant { id name sku } }`;

const graphql = (query: string, headers: Readonly<Record<string, string>> = {}): HttpRequest => ({
  method: 'POST',
  path: '/shop-api',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query }),
  validText: BUYER.email,
});

/** A request without a session starts one, and both mutations of the request share it. */
const CREATE = graphql(`mutation {
  addItemToOrder(productVariantId: "1", quantity: 1) { __typename }
  setCustomerForOrder(input: {
    firstName: "${BUYER.firstName}", lastName: "${BUYER.lastName}",
    emailAddress: "${BUYER.email}", phoneNumber: "${BUYER.phone}"
  }) { ... on Order { ${ORDER_FIELDS} } ... on ErrorResult { errorCode message } }
}`);

const startVendure = async (): Promise<ReadyPeer> => {
  const folder = dataFolder();
  const { bootstrap } = loadPackage('@vendure/core') as Core;
  const { populate } = loadPackage('@vendure/core/cli') as Cli;
  const products = join(folder, 'products.csv');
  writeProducts(products);
  const app = await populate(() => bootstrap(configOf(folder)), INITIAL_DATA, products);
  const baseUrl = baseUrlOf(app.getHttpServer());
  const created = await sendOnce(baseUrl, CREATE);
  const cookies = created.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  const retrieve = graphql(`{ activeOrder { ${ORDER_FIELDS} } }`, { Cookie: cookies.join('; ') });
  await sendOnce(baseUrl, retrieve);
  return { baseUrl, create: CREATE, retrieve };
};

await runPeer(startVendure);
