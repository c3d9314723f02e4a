import { OPERATIONS } from '../../../functions/operations.ts';
import { DEMO_STORES, FIRST_CART } from '../../local-access/demo-stores.ts';

/** A create request to paste into a shell, in one line by default. */
export const curlCommand = (baseUrl: string, separator = ' '): string =>
  [
    `curl -i ${baseUrl}${OPERATIONS.createCartCheckout.path}`,
    `-H 'Authorization: Bearer ${DEMO_STORES[0]?.apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(FIRST_CART)}'`,
  ].join(separator);
