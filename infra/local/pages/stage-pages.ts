import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Documents } from '../../../lib/core/documents.ts';
import { createCartStores } from '../../../lib/carts/cart-stores.ts';
import { processClock } from '../../../lib/core/process-clock.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { docsPages } from '../docs-pages.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';
import { LOCAL_TABLE_NAMES } from '../local-database.ts';
import type { RequestLog } from '../request-log.ts';
import { guidePages } from './guide-pages.ts';
import { homePages } from './home-page.ts';

export interface StagePagesOptions {
  readonly data: string;
  readonly dynamodbUrl?: string | undefined;
  readonly checkoutUrl: string;
  readonly webhookUrl?: string | undefined;
}

const ROOT = join(import.meta.dirname, '../../..');

const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;

const describeDatabase = ({ data, dynamodbUrl }: StagePagesOptions): string => {
  if (dynamodbUrl !== undefined) return `The DynamoDB at ${dynamodbUrl}`;
  return data === 'memory'
    ? 'The embedded DynamoDB, in memory: the data ends with the stage'
    : `The embedded DynamoDB, in ${relative(ROOT, data)}`;
};

/** The stage's own pages: the overview at `/`, the contract with its page, and the guide. */
export const stagePages = (
  documents: Documents,
  requests: RequestLog,
  options: StagePagesOptions,
): NonNullable<GatewayOptions['pages']> => {
  const { carts, testCarts, webhookEndpoints, deliveries } = LOCAL_TABLE_NAMES;
  const { checkoutUrl, webhookUrl } = options;
  return (baseUrl) => {
    const home = homePages({
      facts: { baseUrl, version: version(), database: describeDatabase(options), checkoutUrl, webhookUrl },
      requests,
      carts: createCartStores(documents, { cartsTable: carts, testCartsTable: testCarts }, processClock.now),
      endpoints: createEndpointStore(documents, webhookEndpoints),
      deliveries: createDeliveryStore(documents, deliveries, processClock.now),
      now: processClock.now,
    });
    const docs = docsPages(baseUrl);
    const guide = guidePages(baseUrl);
    return (path) => home.get(path) ?? docs(path) ?? guide(path);
  };
};
