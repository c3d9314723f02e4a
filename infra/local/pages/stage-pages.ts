import { relative } from 'node:path';
import { IS_PACKAGE, ROOT } from '../../terminal/project.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import { docsPages } from './docs-pages.ts';
import type { Page } from '../gateway/gateway.ts';
import type { StageTables } from '../database/local-database.ts';
import { cartListPages } from './cart-list.ts';
import { endpointListPages } from './endpoint-list.ts';
import { eventListPages } from './event-list.ts';
import { requestListPages } from './request-list.ts';
import { cartPages } from './cart-page.ts';
import { deliveryPages } from './delivery-page.ts';
import { endpointPages } from './endpoint-page.ts';
import { guidePages } from './guide-pages.ts';
import { homePages } from './home-page.ts';
import { createPageRepositories, type StageMemory } from './page-repositories.ts';
import { requestPages } from './request-page.ts';

interface StagePagesOptions {
  readonly data: string;
  readonly dynamodb?: string | undefined;
  readonly checkoutUrl: string;
}

const describeDatabase = ({ data, dynamodb }: StagePagesOptions): string => {
  if (dynamodb !== undefined) return `The DynamoDB at ${dynamodb}`;
  return data === 'memory'
    ? 'The embedded DynamoDB, in memory: the data is lost when the stage ends'
    : `The embedded DynamoDB, in ${IS_PACKAGE ? data : relative(ROOT, data)}`;
};

/** The stage's own pages: the dashboard, the contract with its page, and the guide. */
export const stagePages =
  (tables: StageTables, memory: StageMemory, options: StagePagesOptions) =>
  (baseUrl: string): ((path: string) => Page | undefined) => {
    const { checkoutUrl } = options;
    const repositories = createPageRepositories(tables, memory);
    const facts = { baseUrl, version: manifest.version, database: describeDatabase(options), checkoutUrl };
    const finders = [
      homePages(facts, repositories),
      cartListPages(repositories),
      requestListPages(repositories),
      eventListPages(repositories),
      endpointListPages(repositories),
      cartPages(repositories, { test: baseUrl + SANDBOX_CHECKOUT_PATH, live: checkoutUrl }),
      deliveryPages(repositories),
      endpointPages(repositories),
      requestPages(baseUrl, memory.requests),
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
