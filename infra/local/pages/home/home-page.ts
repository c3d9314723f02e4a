import { relative } from 'node:path';
import { isRetryable } from '../../../../lib/aws/errors.ts';
import { UnreadableItemError } from '../../../../lib/database/readable-item.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { IS_PACKAGE, ROOT } from '../../../core/project.ts';
import { IN_MEMORY } from '../../../local-access/running-stage.ts';
import { PLACEHOLDER_CHECKOUT_URL } from '../../../stage/stage-config.ts';
import { newestCartsSection } from '../carts/cart-list.ts';
import type { PageSources } from '../page-sources.ts';
import { factList } from '../parts/elements.ts';
import { NEWEST_SIZE } from '../parts/list-page.ts';
import { livePages } from '../parts/live-page.ts';
import { newestRequestsSection } from '../requests/request-list.ts';
import { newestEventsSection } from '../webhooks/event-list.ts';
import { checklistSection } from './checklist-section.ts';
import { callSamples, startSection } from './start-section.ts';

/** The options of a stage that its page shows. */
export interface ShownOptions {
  /** The embedded database's file, or `memory`. */
  readonly data: string;
  /** A DynamoDB instead of the embedded one. */
  readonly dynamodb?: string | undefined;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
}

const describeDatabase = ({ data, dynamodb }: ShownOptions): string => {
  if (dynamodb !== undefined) return `The DynamoDB at ${dynamodb}`;
  return data === IN_MEMORY
    ? 'The embedded DynamoDB, in memory: the data is lost when the stage ends'
    : `The embedded DynamoDB, in ${IS_PACKAGE ? data : relative(ROOT, data)}`;
};

const liveCarts = ({ checkoutUrl }: ShownOptions): string =>
  checkoutUrl === PLACEHOLDER_CHECKOUT_URL
    ? `${checkoutUrl}: a placeholder, because this stage has no live payment page`
    : `Buyers pay at ${checkoutUrl}`;

const stageSection = (baseUrl: string, options: ShownOptions): Markup => markup`
<section>
<h2>This stage</h2>
${factList([
  ['Address', baseUrl],
  ['Version', manifest.version],
  ['Database', describeDatabase(options)],
  ['Contract', markup`<a href="/openapi.json">OpenAPI 3.1</a>`],
  ['Live carts', liveCarts(options)],
])}
</section>`;

const UNAVAILABLE = markup`<section><p>The database does not respond, or another version stored data that this one cannot read. If this stays, start the stage with another <code>--data</code> file.</p></section>`;

/** Finds the dashboard at `/`, and its live part. */
export const homePages = (baseUrl: string, options: ShownOptions, sources: PageSources) => {
  const frame = { title: 'Dashboard', hidesTitle: true, after: stageSection(baseUrl, options) } as const;
  const samples = callSamples(baseUrl);
  return livePages(/^\/$/, async () => {
    const requests = newestRequestsSection(sources);
    try {
      const [ids, carts, endpoints] = await Promise.all([
        sources.cartIds(),
        sources.newestCarts(NEWEST_SIZE),
        sources.endpoints.list(),
      ]);
      const events = await newestEventsSection(carts, endpoints, sources);
      const before = startSection(samples, ids.length > 0);
      const checklist = checklistSection(sources.checklist.progress(), endpoints);
      const newest = newestCartsSection(carts, sources.now());
      return { ...frame, before, live: markup`${[checklist, newest, events, requests]}` };
    } catch (error) {
      if (!isRetryable(error) && !(error instanceof UnreadableItemError)) throw error;
      const before = startSection(samples, true);
      return { ...frame, before, status: 503, live: markup`${[requests, UNAVAILABLE]}` };
    }
  });
};
