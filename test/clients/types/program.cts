// A CommonJS program: `require` of an ES module.
import client = require('cart-checkout-client');

export const create = (): client.CartCheckout => new client.CartCheckout({ baseUrl: undefined, apiKey: '' });
// @ts-expect-error -- an unknown option
create().listEvents({ cursor: 'x' });
