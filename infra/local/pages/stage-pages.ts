import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Documents } from '../../../lib/core/documents.ts';
import { createCartStores } from '../../../lib/carts/cart-stores.ts';
import { processClock } from '../../../lib/core/process-clock.ts';
import { createEventStore } from '../../../lib/events/event-store.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { createSecretStore } from '../../../lib/webhooks/secret-store.ts';
import { docsPages } from '../docs-pages.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';
import { LOCAL_TABLE_NAMES } from '../local-database.ts';
import type { RequestLog } from '../request-log.ts';
import { cartPages } from './cart-page.ts';
import { deliveryPages } from './delivery-page.ts';
import { guidePages } from './guide-pages.ts';
import { homePages } from './home-page.ts';
import { createRecentCarts, findInEither } from './recent-carts.ts';

export interface StagePagesOptions {
  readonly data: string;
  readonly dynamodb?: string | undefined;
  readonly checkoutUrl: string;
}

const ROOT = join(import.meta.dirname, '../../..');

const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;

const describeDatabase = ({ data, dynamodb }: StagePagesOptions): string => {
  if (dynamodb !== undefined) return `The DynamoDB at ${dynamodb}`;
  return data === 'memory'
    ? 'The embedded DynamoDB, in memory: the data is lost when the stage ends'
    : `The embedded DynamoDB, in ${relative(ROOT, data)}`;
};

/** The stage's own pages: the overview at `/`, the contract with its page, and the guide. */
export const stagePages = (
  documents: Documents,
  requests: RequestLog,
  options: StagePagesOptions,
): NonNullable<GatewayOptions['pages']> => {
  const tables = LOCAL_TABLE_NAMES;
  const { now } = processClock;
  const cartTables = { cartsTable: tables.carts, testCartsTable: tables.testCarts };
  const findCart = findInEither(createCartStores(documents, cartTables, now));
  const stores = {
    endpoints: createEndpointStore(documents, tables.webhookEndpoints),
    deliveries: createDeliveryStore(documents, tables.deliveries, now),
    secrets: createSecretStore(documents, tables.secrets),
    events: createEventStore(documents, tables.events),
    recentCarts: createRecentCarts(documents, cartTables, requests, findCart),
    findCart,
    requests,
    now,
  };
  return (baseUrl) => {
    const { checkoutUrl } = options;
    const facts = { baseUrl, version: version(), database: describeDatabase(options), checkoutUrl };
    const finders = [
      homePages({ facts, ...stores }),
      cartPages(stores),
      deliveryPages(stores),
      docsPages(baseUrl),
      guidePages(baseUrl),
    ];
    return (path) => {
      for (const find of finders) {
        const page = find(path);
        if (page) return page;
      }
      return undefined;
    };
  };
};
