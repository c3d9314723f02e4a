import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import type { StageTables } from '../database/local-tables.ts';
import type { Page } from '../gateway/gateway.ts';
import { browserFiles } from './browser-files.ts';
import { cartListPages } from './carts/cart-list.ts';
import { cartPages } from './carts/cart-page.ts';
import { explorerPages } from './explorer/explorer-page.ts';
import { errorsPages } from './guide/errors-page.ts';
import { guidePages } from './guide/guide-pages.ts';
import { homePages, type ShownOptions } from './home/home-page.ts';
import { createPageSources, type StageMemory } from './page-sources.ts';
import { requestListPages } from './requests/request-list.ts';
import { requestPages } from './requests/request-page.ts';
import { deliveryPages } from './webhooks/delivery-page.ts';
import { endpointListPages } from './webhooks/endpoint-list.ts';
import { endpointPages } from './webhooks/endpoint-page.ts';
import { eventListPages } from './webhooks/event-list.ts';

/** Makes the function that finds a page of the stage: the dashboard, the guide, the errors, and the contract with its page. */
export const stagePages =
  (tables: StageTables, memory: StageMemory, options: ShownOptions) =>
  (baseUrl: string): ((path: string) => Page | undefined) => {
    const sources = createPageSources(tables, memory);
    const finders = [
      homePages(baseUrl, options, sources),
      cartListPages(sources),
      cartPages(sources, { test: baseUrl + SANDBOX_CHECKOUT_PATH, live: options.checkoutUrl }),
      requestListPages(sources),
      requestPages(baseUrl, sources),
      eventListPages(sources),
      endpointListPages(sources),
      endpointPages(sources),
      deliveryPages(sources),
      guidePages(baseUrl),
      errorsPages,
      explorerPages(baseUrl),
      browserFiles,
    ];
    return (path) => {
      for (const find of finders) {
        const page = find(path);
        if (page) return page;
      }
      return undefined;
    };
  };
