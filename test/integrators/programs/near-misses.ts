import { CREATED, invalidInTest, order, required, type Programs } from '../support/program.ts';

/** Fields whose names are nearly right. */
export const programs: Programs = {
  /** JavaScript, code that tried every spelling: the right field is there too, so the others do no harm. */
  'near-miss-beside-right-field': {
    creates: (shop) => {
      const address = 'https://shop.example/thanks';
      return { body: order(shop, { redirectURL: address, redirectUrl: address, redirect_url: address }) };
    },
    gets: CREATED,
    reads: async (created, { atCheckout }) => (await atCheckout(created, 'pay')).pathname,
    sees: '/thanks',
  },
  /** PHP, the amount in snake case: without the test mode's help, the buyer would pay the suggested price. */
  'near-miss-customer-price': {
    creates: (shop) => ({ body: order(shop, { productDocumentId: shop.donation, customer_price: 12 }) }),
    gets: invalidInTest({ customer_price: 'Unknown field customer_price; did you mean customerPrice?' }),
  },
  /** JavaScript, a form with a typo in the name of its most important field. */
  'near-miss-swapped-letters': {
    creates: ({ course }) => ({
      body: { productDocumentId: course, emial: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    }),
    gets: invalidInTest({ emial: 'Unknown field emial; did you mean email?' }, required('email'), {}),
  },
  /** C#, `JsonSerializer` with its defaults: names keep the capital of the property. */
  'near-miss-pascal-case': {
    creates: ({ course }) => ({
      body: { ProductDocumentId: course, Email: 'ada@example.com', FirstName: 'Ada', LastName: 'Lovelace' },
    }),
    gets: invalidInTest(
      {
        ProductDocumentId: 'Unknown field ProductDocumentId; did you mean productDocumentId?',
        Email: 'Unknown field Email; did you mean email?',
        FirstName: 'Unknown field FirstName; did you mean firstName?',
        LastName: 'Unknown field LastName; did you mean lastName?',
      },
      required('productDocumentId', 'email', 'firstName', 'lastName'),
      {},
    ),
  },
  /**
   * TypeScript, a NestJS service: `redirectUrl`, as the response spells it. The buyer would have no way back.
   */
  'near-miss-redirect-url': {
    orders: { redirectUrl: 'https://shop.example/thanks' },
    gets: invalidInTest({ redirectUrl: 'Unknown field redirectUrl; did you mean redirectURL?' }),
  },
  /** Ruby, a Rails service: all names are in snake case. */
  'near-miss-snake-case': {
    creates: ({ course }) => ({
      body: {
        product_document_id: course,
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
        redirect_url: 'https://shop.example/thanks',
      },
    }),
    gets: invalidInTest(
      {
        product_document_id: 'Unknown field product_document_id; did you mean productDocumentId?',
        first_name: 'Unknown field first_name; did you mean firstName?',
        last_name: 'Unknown field last_name; did you mean lastName?',
        redirect_url: 'Unknown field redirect_url; did you mean redirectURL?',
      },
      required('productDocumentId', 'firstName', 'lastName'),
      {},
    ),
  },
};
