import { invalid, order, type Program } from '../support/program.ts';

/**
 * Dart, a Flutter app: a deep link brings the buyer back into the app. Dart writes header names in lower case.
 */
export const program: Program = {
  creates: (shop) => ({
    headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json; charset=utf-8' },
    body: order(shop, { redirectURL: 'myshop://payment/done' }),
  }),
  gets: invalid({ redirectURL: /http/ }),
};
