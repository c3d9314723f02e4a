import { OPERATIONS } from '../../functions/operations.ts';
import type { Product } from '../../lib/products/product.ts';
import { describePrice } from '../describe-price.ts';
import { jsonText } from '../terminal.ts';
import { DEMO_STORES, FIRST_CART } from './demo-stores.ts';
import type { DemoWebhook } from './demo-webhooks.ts';

export interface StageAddresses {
  readonly baseUrl: string;
  readonly dynamodbEndpoint: string;
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
    webhooks: webhooks.map(({ storeId, id, url, secret }) => ({ storeId, id, url, secret })),
  });

const productLine = (product: Product): string =>
  `    ${product.id.padEnd(16)}${describePrice(product)}${product.available ? '' : ' (unavailable)'}`;

/** A create request to paste into a shell, in one line by default. */
export const curlCommand = (baseUrl: string, separator = ' '): string => {
  return [
    `curl -i ${baseUrl}${OPERATIONS.createCartCheckout.path}`,
    `-H 'Authorization: Bearer ${DEMO_STORES[0]?.apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(FIRST_CART)}'`,
  ].join(separator);
};

const webhookLines = ({ storeId, id, url, secret }: DemoWebhook): string =>
  `  ${storeId} sends to ${url}\n    endpoint ${id}\n    secret   ${secret}`;

/** The text for a person when the stage is ready. */
export const readyText = ({ baseUrl, dynamodbEndpoint, webhooks }: StageAddresses): string => {
  const stores = DEMO_STORES.map(({ id, apiKey, products }) =>
    [`  ${id}`, `    API key ${apiKey}`, ...products.map(productLine)].join('\n'),
  );
  return [
    `Cart Checkout runs at ${baseUrl} on the DynamoDB at ${dynamodbEndpoint}. Ctrl-C ends it.`,
    `Demo stores (test mode):\n${stores.join('\n')}`,
    ...(webhooks.length > 0 ? [`Webhooks (test mode):\n${webhooks.map(webhookLines).join('\n')}`] : []),
    `See requests, carts and webhooks: ${baseUrl}/`,
    `Read and try the API: ${baseUrl}/docs`,
    `Read the guide: ${baseUrl}/guide/integrate.md`,
    `Create a cart:\n${curlCommand(baseUrl)}\n`,
  ].join('\n\n');
};
