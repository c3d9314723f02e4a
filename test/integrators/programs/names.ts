import { CREATED, invalid, invalidInTest, order, required, type Programs } from '../support/program.ts';

/** How programs send the buyer's name. */
export const programs: Programs = {
  /** JavaScript, a habit of other payment APIs: one field `name`, and the buyer in an object `customer`. */
  'name-in-one-field': {
    creates: ({ course }) => ({
      body: { productDocumentId: course, customer: { name: 'Ada Lovelace', email: 'ada@example.com' } },
    }),
    gets: invalidInTest(
      {
        customer: 'Unknown field customer; send email, firstName, lastName and phone',
      },
      required('email', 'firstName', 'lastName'),
    ),
  },
  /**
   * JavaScript, a game server: a nickname without a space becomes first and last name. The code looks for the amount
   * in several fields of the cart, and otherwise records its own catalogue price.
   */
  'name-repeated': {
    orders: { firstName: ' Ada ', lastName: 'Ada', meta: { userId: '7' } },
    gets: CREATED,
    reads: ({ body: { cart, total } }) =>
      [cart.total, cart.amount, cart.price, total].map(Number).find((amount) => amount > 0) ?? 1000,
    sees: 1000,
  },
  /**
   * JavaScript, a React page: it splits one name field at the first space. `Client` stands for a missing last name. It
   * always sends the price of the product.
   */
  'name-split-client': {
    creates: (shop) => {
      const [firstName, ...more] = 'Ada'.split(' ');
      return { body: order(shop, { firstName, lastName: more.join(' ') || 'Client', customerPrice: 49.9 }) };
    },
    gets: CREATED,
    reads: ({ body }) => (body.redirectUrl && body.cart ? body.cart.customerInfo.lastName : 'no cart'),
    sees: 'Client',
  },
  /**
   * TypeScript, a Next.js route: accounts have one name, or none. `-` stands for a missing last name, and the local
   * part of the e-mail address for a missing first name. The code needs `cart.id` and `redirectUrl`, and otherwise
   * shows `message`.
   */
  'name-split-dash': {
    creates: (shop) => {
      const email = 'ada.lovelace+shop@example.com';
      return { body: order(shop, { email, firstName: email.split('@')[0], lastName: '-' }) };
    },
    gets: CREATED,
    reads: ({ status, body }) =>
      status < 300 && body.cart?.id && body.redirectUrl ? { ok: true } : { ok: false, error: body.message },
    sees: { ok: true },
  },
  /**
   * PHP, a Laravel service: `.` stands for a missing last name. The phone number is in its local form, with spaces.
   */
  'name-split-dot': {
    orders: { lastName: '.', phone: '06 50 12 34 56' },
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.customerInfo,
    sees: { firstName: 'Ada', lastName: '.', email: 'ada@example.com', phone: '06 50 12 34 56' },
  },
  /**
   * Python, httpx: `name.partition(' ')` leaves the last name empty. `raise_for_status` hides the body from the log.
   */
  'name-split-empty': {
    orders: { lastName: '' },
    gets: invalid({ lastName: 'Must have 1 to 100 characters' }),
    reads: ({ status }) => (status >= 400 ? `HTTPStatusError ${status}` : 'ok'),
    sees: 'HTTPStatusError 422',
  },
  /** TypeScript, a wrapper with French names for the fields: `prenom` and `nom`. */
  'names-in-french': {
    orders: { firstName: undefined, lastName: undefined, prenom: 'Ada', nom: 'Lovelace' },
    gets: invalid(required('firstName', 'lastName')),
  },
  /**
   * PHP, `json_encode` with its defaults: characters beyond ASCII and slashes are escaped. Names keep every character.
   */
  'names-of-the-world': {
    creates: ({ course }) => ({
      body: String.raw`{"productDocumentId":"${course}","email":"ada@example.com","firstName":"\u0623\u062f\u0627","lastName":"O'Br\u00ef\u00e8n \ud83c\udf88","redirectURL":"https:\/\/shop.example\/merci"}`,
    }),
    gets: CREATED,
    reads: ({ body }) => body.cart.customerInfo,
    sees: { firstName: 'أدا', lastName: "O'Brïèn 🎈", email: 'ada@example.com' },
  },
};
