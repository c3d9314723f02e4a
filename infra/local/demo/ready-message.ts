import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import { jsonText } from '../../terminal/terminal.ts';
import { typedCommand } from '../../terminal/typed-command.ts';
import { curlCommand } from './curl-command.ts';
import type { DemoWebhook } from './demo-webhooks.ts';

export interface StageAddresses {
  readonly baseUrl: string;
  /** Where another stage or the operators' command line finds the database, the queues and the bus. */
  readonly dynamodbEndpoint: string;
  /** The endpoints of `--webhook`. */
  readonly webhooks: readonly DemoWebhook[];
}

/** The line of `--json`. */
export const readyJson = ({ baseUrl, dynamodbEndpoint, webhooks }: StageAddresses): string =>
  jsonText({
    baseUrl,
    dynamodbEndpoint,
    stores: DEMO_STORES.map(({ id, apiKey, products }) => ({
      id,
      apiKey,
      products: products.map((product) => ({
        id: product.id,
        pricing: product.pricing.type,
        available: product.available,
      })),
    })),
    webhooks,
  });

/** The text for a person when the stage is ready: an address, a key and a next step. */
export const readyText = (
  { baseUrl, dynamodbEndpoint, webhooks }: StageAddresses,
  isOnDefaultData: boolean,
): string =>
  [
    `Cart Checkout runs at ${baseUrl}/`,
    `Key of ${DEMO_STORES[0]?.id} (test mode): ${DEMO_STORES[0]?.apiKey}`,
    ...webhooks.map(({ storeId, url, secret }) => `Test events of ${storeId} go to ${url}, secret ${secret}`),
    ...(isOnDefaultData
      ? []
      : [`Option of \`${typedCommand('')}\` for this stage: --dynamodb ${dynamodbEndpoint}`]),
    '',
    'Open the address, and click Create a test cart. Or run:',
    curlCommand(baseUrl),
    '',
    'Ctrl-C ends the stage.',
    '',
  ].join('\n');
