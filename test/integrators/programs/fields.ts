import { CREATED, invalid, invalidInTest, order, rejected, type Programs } from '../support/program.ts';

/** Programs with special values in the fields of a request. */
export const programs: Programs = {
  /** PHP, Laravel's cast `decimal:2`: the amount is a text. */
  'amount-as-text': {
    creates: (shop) => ({ body: order(shop, { productDocumentId: shop.donation, customerPrice: '12.00' }) }),
    gets: invalid({ customerPrice: 'Must be a number, not a string' }),
  },
  /** Python: `customerPrice` is sent for every product. It equals the fixed price. */
  'amount-equal': {
    orders: { customerPrice: 49.9 },
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.price.amount,
    sees: 49.9,
  },
  /** JavaScript, a habit of other payment APIs: the amount is in cents. */
  'amount-in-cents': {
    orders: { customerPrice: 4_990 },
    gets: invalid({ customerPrice: /49\.9.*4,?990|4,?990.*49\.9/ }),
  },
  /** JavaScript: `Number(undefined)` is `NaN`, which JSON writes as `null`. The fixed price applies. */
  'amount-not-a-number': {
    orders: { customerPrice: Number(undefined) },
    gets: CREATED,
  },
  /** Ruby, a mailer's habit: the address has a display name. */
  'email-display-name': {
    orders: { email: 'Ada Lovelace <ada@example.com>' },
    gets: invalid({ email: 'Must be an e-mail address' }),
  },
  /** JavaScript, Firebase: users who signed in by phone have no e-mail address. The code sends `null`. */
  'email-null': {
    orders: { email: null },
    gets: invalid({ email: /./ }),
  },
  /** PHP, a form: mobile keyboards add a space after the address. The case of the address stays. */
  'email-spaces': {
    orders: { email: 'Ada@Example.com ' },
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.email,
    sees: 'Ada@Example.com',
  },
  /**
   * JavaScript, an Expo app: the field `phone` is always sent, and usually empty. The price is rounded, because the
   * platform's own currency has no decimals.
   */
  'empty-phone': {
    creates: (shop) => ({
      body: order(shop, {
        productDocumentId: shop.donation,
        phone: '',
        customerPrice: Math.round(Number('12')),
      }),
    }),
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const { customerInfo, price } = (await retrieve(body.cart.id)).body;
      return { hasPhone: 'phone' in customerInfo, price };
    },
    sees: { hasPhone: false, price: { amount: 12, currency: 'EUR' } },
  },
  /** TypeScript, a Supabase function: `|| ""` turns each missing form value into an empty text. */
  'empty-strings': {
    orders: { firstName: '', lastName: '', phone: '' },
    gets: invalid({
      firstName: 'Must have 1 to 100 characters',
      lastName: 'Must have 1 to 100 characters',
    }),
    reads: ({ body }) => body.message ?? 'unknown error',
    sees: 'The payload format is invalid',
  },
  /** Go, a struct without `omitempty`: absent values are `""`, `0` and `null`. */
  'go-zero-values': {
    orders: { phone: '', redirectURL: '', customerPrice: 0, meta: null },
    gets: invalid({
      redirectURL: 'Omit it or send an address',
      customerPrice: 'Must be above 0',
    }),
  },
  /**
   * Java, Jackson with its defaults: it writes the fields of the whole class, with `null` for those that are not set.
   */
  'jackson-nulls': {
    creates: (shop) => ({
      headers: { Accept: 'application/json, application/*+json' },
      body: order(shop, {
        id: null,
        currency: null,
        phone: null,
        redirectURL: null,
        status: null,
        meta: null,
      }),
    }),
    gets: CREATED,
  },
  /** TypeScript, a shop in two languages: `lang` is the language of its page, whatever the browser prefers. */
  'language-of-the-shop': {
    creates: (shop) => ({ headers: { 'Accept-Language': 'de-DE' }, body: order(shop, { lang: 'fr-ca' }) }),
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.lang,
    sees: 'fr-CA',
  },
  /** PHP: the locale of WordPress has an underscore. */
  'language-with-underscore': {
    orders: { lang: 'fr_CA' },
    gets: invalid({ lang: 'Must be a language and a region, such as fr-CA' }),
  },
  /** JavaScript, code for another API: `locale`. In live mode, the buyer reads the language of the key. */
  'language-as-locale': {
    orders: { locale: 'fr-CA' },
    gets: invalidInTest({ locale: 'Unknown field locale; did you mean lang?' }),
  },
  /** PHP, `serialize_precision = 17`: a price of 12.3 has 17 digits. */
  'amount-of-17-digits': {
    creates: ({ donation }) => ({
      body: `{"productDocumentId":"${donation}","email":"ada@example.com","firstName":"Ada","lastName":"Lovelace","customerPrice":12.300000000000001}`,
    }),
    gets: {
      test: invalid({
        customerPrice:
          'Has more digits than a number keeps: send at most 15. In PHP, set serialize_precision to -1',
      }),
      live: CREATED,
    },
  },
  /** C, a name from a fixed buffer: it ends with NUL, which a receiver's PostgreSQL rejects. */
  'name-with-nul': {
    orders: { lastName: 'Lovelace\0' },
    gets: invalidInTest({ lastName: 'Must have no control character and no direction mark' }),
  },
  /** JavaScript, code for another API: the time of the expiry instead of the minutes. */
  'expiry-as-time': {
    orders: { expiresAt: '2026-11-20T16:00:00Z' },
    gets: invalidInTest({
      expiresAt: 'Unknown field expiresAt; send expiresInMinutes',
    }),
  },
  /** PHP: the buyer's `Accept-Language` is passed on as it came. The first tag with a region counts. */
  'language-of-the-browser': {
    creates: (shop) => ({ headers: { 'Accept-Language': 'fr,fr-CA;q=0.9,en-US;q=0.8' }, body: order(shop) }),
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.lang,
    sees: 'fr-CA',
  },
  /** TypeScript, code for an API whose metadata is one text: `meta` is a JSON text. */
  'meta-as-text': {
    orders: { meta: JSON.stringify({ order: '1001' }) },
    gets: invalid({ meta: 'Must be an object' }),
  },
  /** PHP, a list instead of a map: `["1001", "web"]`. */
  'meta-list': {
    orders: { meta: ['1001', 'web'] },
    gets: invalid({ meta: 'Must be an object' }),
  },
  /** JavaScript: the whole buyer in `meta`, and a value that is `null`. */
  'meta-nested': {
    orders: { meta: { buyer: { id: '7' }, items: ['a'], coupon: null } },
    gets: invalid({
      'meta.buyer': 'Must be a string',
      'meta.items': 'Must be a string',
      'meta.coupon': 'Must be a string',
    }),
  },
  /** TypeScript, a Next.js route: amounts and ids in `meta` are numbers, and a flag is a boolean. */
  'meta-numbers': {
    orders: { meta: { tier: 'PRO', duration: 30, discount: 0.5, trial: false } },
    gets: invalid({
      'meta.duration': 'Must be a string: send "30", not 30',
      'meta.discount': 'Must be a string: send "0.5", not 0.5',
      'meta.trial': 'Must be a string: send "false", not false',
    }),
  },
  /**
   * JavaScript, a web shop: it finds its order by `meta`, and compares the id as text. A value that is `undefined` is
   * not sent.
   */
  'meta-round-trip': {
    orders: { meta: { orderId: String(1001), source: '', referrer: undefined } },
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const { meta } = (await retrieve(body.cart.id)).body;
      return { isOrder: meta.orderId === String(1001), source: meta.source };
    },
    sees: { isOrder: true, source: '' },
  },
  /** JavaScript, a no-code database: the phone number is a JSON number. */
  'phone-number': {
    orders: { phone: 237650123456 },
    gets: invalid({ phone: 'Must be a string' }),
  },
  /** TypeScript, code for another platform: the phone number is an object with its country. */
  'phone-object': {
    orders: { phone: { number: '650123456', country_code: 'CM' } },
    gets: invalid({ phone: 'Must be a string' }),
  },
  /** JavaScript, a form with a mask: an international number with spaces. It comes back as it was sent. */
  'phone-spaces': {
    orders: { phone: '+237 6 50 12 34 56' },
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo.phone,
    sees: '+237 6 50 12 34 56',
  },
  /**
   * PHP, typed arguments `?string $phone` and `array $meta`: `null`, and `[]` for an empty map. PHP reads `{}` as an
   * empty array.
   */
  'php-empty-array': {
    orders: { phone: null, meta: [] },
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => Object.keys((await retrieve(body.cart.id)).body.meta).length,
    sees: 0,
  },
  /** PHP: the product's id is a number of the shop's own database. */
  'product-number': {
    orders: { productDocumentId: 42 },
    gets: invalid({ productDocumentId: 'Must be a string' }),
  },
  /** JavaScript: the product's id was copied from the dashboard of another shop. */
  'product-of-another-store': {
    creates: (shop) => ({ body: order(shop, { productDocumentId: shop.foreignProduct }) }),
    gets: {
      test: rejected('invalidProduct', {
        productDocumentId: /^The store has no product with this id\. Products/,
      }),
      live: rejected('invalidProduct'),
    },
    reads: ({ body }) => `${body.code}: ${body.message}`,
    sees: 'INVALID_PRODUCT: The product is not available or does not belong to this store',
  },
  /** Python, a dataclass and `json=asdict(order)`: each optional field that nobody set is `null`. */
  'python-none': {
    orders: { phone: null, redirectURL: null, meta: null, customerPrice: null },
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.meta,
    sees: {},
  },
};
