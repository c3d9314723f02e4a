import { CREATED, invalid, invalidInTest, order, required, type Programs } from '../support/program.ts';

const REQUIRED = required('productDocumentId', 'email', 'firstName', 'lastName');

/** Programs that were written for other APIs. */
export const programs: Programs = {
  /**
   * JavaScript, code for another payment API. In live mode, its return address and metadata are lost: test mode names the
   * right fields. It does not look at `price` until then.
   */
  'fields-of-other-apis': {
    orders: {
      return_url: 'https://shop.example/thanks',
      metadata: { order: 1001 },
      price: 45,
      currency: 'XOF',
    },
    gets: invalidInTest({
      return_url: 'Unknown field return_url; did you mean redirectURL?',
      metadata: 'Unknown field metadata; did you mean meta?',
    }),
  },
  /** JavaScript, code for another payment API: `amount` is in cents. */
  'foreign-amount-in-cents': {
    orders: { amount: 4_990, currency: 'eur' },
    gets: invalidInTest({
      amount: 'Unknown field amount; the price of the product is fixed: omit the field',
    }),
  },
  /** PHP, a plug-in of another checkout: the order number is in `customData`. */
  'foreign-custom-data': {
    orders: { customData: { order_id: '1001' } },
    gets: invalidInTest({ customData: 'Unknown field customData; did you mean meta?' }),
  },
  /** Node.js, code for a payment API that stores customers: their id is sent with each order. */
  'foreign-customer-id': {
    orders: { customer: 'customer-77' },
    gets: invalidInTest({
      customer: 'Unknown field customer; send email, firstName, lastName and phone',
    }),
  },
  /** Java with Jackson, one class for several payment APIs: what this shop does not use is `null`. */
  'foreign-nulls': {
    orders: { amount: null, price: null, quantity: null, customer: null },
    gets: CREATED,
  },
  /** JavaScript, a donation: `price` is the suggested amount, and the buyer chose another one. */
  'foreign-price-beside-right-field': {
    creates: (shop) => ({
      body: order(shop, { productDocumentId: shop.donation, price: 5, customerPrice: 12.5 }),
    }),
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.price.amount,
    sees: 12.5,
  },
  /** PHP, a shop that sends its whole line item: the price is text, one piece. Nothing is lost. */
  'foreign-price-equal': {
    orders: { price: '49.90', amount: 49.9, quantity: 1 },
    gets: CREATED,
  },
  /** TypeScript, code that sends the `price` of an earlier cart back. */
  'foreign-price-of-a-cart': {
    orders: { price: { amount: 49.9, currency: 'EUR' } },
    gets: CREATED,
  },
  /** Python, a shop whose own catalogue has an older price: the buyer would pay another one. */
  'foreign-price-of-own-catalogue': {
    orders: { price: 45 },
    gets: invalidInTest({ price: 'Unknown field price; the price of the product is fixed: omit the field' }),
  },
  /** C#, a shop that sells several pieces at once: the buyer would pay for one. */
  'foreign-quantity': {
    orders: { quantity: 3 },
    gets: invalidInTest({
      quantity: 'Unknown field quantity; a cart is for one unit of one product',
    }),
  },
  /** Kotlin, one class for two payment APIs: it has the return address twice. */
  'foreign-success-and-return-url': {
    orders: { returnUrl: 'https://shop.example/thanks', successUrl: 'https://shop.example/thanks' },
    gets: invalidInTest({
      returnUrl: 'Unknown field returnUrl; did you mean redirectURL?',
      successUrl: 'Unknown field successUrl; did you mean redirectURL?',
    }),
  },
  /** Ruby, code for a hosted payment page: the buyer returns to `success_url`, or cancels at `cancel_url`. */
  'foreign-success-url': {
    orders: { success_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' },
    gets: invalidInTest({
      success_url: 'Unknown field success_url; did you mean redirectURL?',
      cancel_url: 'Unknown field cancel_url; did you mean cancelURL?',
    }),
  },
  /**
   * Ruby, code for a JSON:API service: the order is in `data.attributes`. The media type ends in `+json`, so the body
   * is read.
   */
  'json-api-body': {
    creates: (shop) => ({
      headers: { 'Content-Type': 'application/vnd.api+json', Accept: 'application/vnd.api+json' },
      body: { data: { type: 'checkouts', attributes: order(shop) } },
    }),
    gets: {
      test: invalid({
        data: 'Unknown field data; send its fields at the top level',
        ...REQUIRED,
      }),
      live: invalid(REQUIRED),
    },
    reads: ({ body }) => body.errors?.[0]?.detail ?? body.message,
    sees: 'The payload format is invalid',
  },
};
