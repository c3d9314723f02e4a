import * as z from 'zod';
import { CREATED, invalid, order, required, type Programs } from '../support/program.ts';

const schema = z.object({
  cart: z.looseObject({
    id: z.uuid(),
    status: z.enum(['waiting_payment', 'completed', 'abandoned', 'payment_failed']),
  }),
  redirectUrl: z.url(),
});

/** Programs that read special parts of a response. */
export const programs: Programs = {
  /** PHP: it tries several spellings of the payment address, and several places of the id. */
  'reads-either-spelling': {
    gets: CREATED,
    reads: ({ body }) => {
      const url = body.redirectUrl ?? body.redirect_url ?? body.checkoutUrl ?? body.data?.redirectUrl ?? '';
      const id = body.cart?.id ?? body.id ?? body.data?.id ?? '';
      return /^[A-Za-z0-9-]{8,80}$/.test(id) && url.endsWith(`/${id}`);
    },
    sees: true,
  },
  /** JavaScript, a countdown beside the order: the response to the creation has the end. */
  'reads-countdown': {
    orders: { expiresInMinutes: 45 },
    gets: CREATED,
    reads: ({ body: { cart } }) => (Date.parse(cart.expiresAt) - Date.parse(cart.createdAt)) / 60_000,
    sees: 45,
  },
  /** Python: the log of a rejected request names each field. It must not name the buyer. */
  'reads-error-details': {
    orders: { email: 'ada@', lastName: undefined },
    gets: invalid({ email: 'Must be an e-mail address', lastName: 'lastName is required' }),
    reads: ({ body, bodyText }) => ({
      fields: body.details.map((detail: { path: string }) => detail.path).toSorted(),
      namesBuyer: /ada/i.test(bodyText),
    }),
    sees: { fields: ['email', 'lastName'], namesBuyer: false },
  },
  /**
   * TypeScript, code for a framework whose `message` is a list of constraints: here it is always a text, and `details`
   * has the fields.
   */
  'reads-error-lists': {
    orders: { email: undefined },
    gets: invalid(required('email')),
    reads: ({ body }) =>
      Array.isArray(body.message) ? body.message.join(', ') : (body.message ?? body.error),
    sees: 'The payload format is invalid',
  },
  /** TypeScript: a failed request prints the address of its help page, from the header `Link`. */
  'reads-help-link': {
    orders: { email: undefined },
    gets: invalid(required('email')),
    reads: ({ headers }) =>
      /<https?:[^>]+\/errors(#[A-Z_]+)>; *rel="?help"?/.exec(headers['link'] ?? '')?.[1],
    sees: '#VALIDATION_ERROR',
  },
  /**
   * TypeScript, an edge function: it expects `id` and `url` at the top of the response, and stores `undefined`.
   */
  'reads-id-at-top': {
    gets: CREATED,
    reads: ({ body }) => ({ cartId: body.id, url: body.url ?? body.payment_url ?? body.checkout_url }),
    sees: { cartId: undefined, url: undefined },
  },
  /**
   * Go, `DisallowUnknownFields`: it knows the fields of the original description. Fields that the API added break it,
   * which is why `docs/contract.md` asks to ignore unknown fields.
   */
  'reads-known-fields-only': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const known = 'id createdAt updatedAt status customerInfo paymentId meta'.split(' ');
      const unknownIn = (cart: object): string[] => Object.keys(cart).filter((name) => !known.includes(name));
      return [unknownIn(body.cart), unknownIn((await retrieve(body.cart.id)).body)];
    },
    sees: [
      ['productDocumentId', 'productName', 'price', 'expiresAt'],
      ['productDocumentId', 'productName', 'price', 'expiresAt', 'redirectUrl'],
    ],
  },
  /**
   * TypeScript: before it redirects, it compares the cart's price with the order. The response to the creation has it.
   */
  'reads-price-first': {
    gets: CREATED,
    reads: ({ body: { cart } }) => cart.price?.amount === 49.9 && cart.price.currency === 'EUR',
    sees: true,
  },
  /**
   * TypeScript, a zod schema: an id, a status of four, and a payment address that is a URL. Further fields pass.
   */
  'reads-schema': {
    gets: CREATED,
    reads: ({ body }) => schema.safeParse(body).success,
    sees: true,
  },
  /** Python, `strptime('%Y-%m-%dT%H:%M:%S.%fZ')`: it needs the fraction and the `Z`. */
  'reads-times': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const { createdAt, updatedAt, expiresAt } = (await retrieve(body.cart.id)).body;
      const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z$/;
      return [body.cart.createdAt, createdAt, updatedAt, expiresAt].every((time) => form.test(time));
    },
    sees: true,
  },
  /** TypeScript, a field of another version: `total_price`, or else the order's own amount. */
  'reads-total-price': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const cart = (await retrieve(body.cart.id)).body;
      return Number(cart.total_price ?? cart.cart?.total_price ?? 49.9);
    },
    sees: 49.9,
  },
  /** JavaScript, an older release of a UUID library: it knows the versions 1 to 5. */
  'reads-uuid-versions': {
    creates: (shop) => ({ headers: { 'Idempotency-Key': 'order-1004' }, body: order(shop) }),
    gets: CREATED,
    reads: async ({ body }, shop) => {
      const known = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
      const withoutKey = await shop.send({ body: order(shop) });
      return { withKey: known.test(body.cart.id), withoutKey: known.test(withoutKey.body.cart.id) };
    },
    sees: { withKey: true, withoutKey: true },
  },
};
