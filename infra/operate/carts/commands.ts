import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { CART_STATUSES } from '../../../lib/carts/cart.ts';
import { withoutItemPrefix } from '../../../lib/carts/item-ids.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { defaulting, optional, required } from '../frame/parameter.ts';
import { anyText, checkRange, choice, countUpTo, MODE, TIME, typeOf } from '../frame/value-types.ts';
import { CART_JSON } from '../shared/cart-json.ts';
import { cartTablesOf } from '../shared/cart-scan.ts';
import { CART } from '../shared/cart-values.ts';
import type { ScanPosition } from '../shared/scan.ts';
import { STORE } from '../shared/store-values.ts';

/** Whether a text is the id of an item in the tables of carts. */
const isItemId = (text: string): boolean => parseCartId(withoutItemPrefix(text)) !== undefined;

/** The text of a cursor: the index of the table, and the id before the place. */
export const formatScanCursor = ({ table, after }: ScanPosition): string => {
  const { id = '' } = (after ?? {}) as { readonly id?: string };
  return Buffer.from(`${table} ${id}`).toString('base64url');
};

/** The text of {@link formatScanCursor}. */
const CURSOR = typeOf('cursor', 'It must be the cursor that `carts list` prints.', (text) => {
  const [, table, id] = /^([01]) (.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (id === '') return { table: Number(table) };
  return id !== undefined && isItemId(id) ? { table: Number(table), after: { id } } : undefined;
});

/** The id of a payment: a UUID, as a cart has it. */
const PAYMENT_ID = typeOf('uuid', 'It must be a UUID.', parseCartId);

/** An entry of `meta`. */
const META = typeOf('key=value', 'It must be a key, = and a value, such as order=A-1.', (text) => {
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  return key === undefined ? undefined : ([key, value] as const);
});

const LISTED_JSON = 'carts(id storeId mode status createdAt updatedAt productId price paymentId?)';

export const CARTS = {
  show: define({
    summary: 'show a cart with its payments, refunds, events and deliveries',
    arguments: { cart: required(CART, 'the id of the cart') },
    json: `${CART_JSON} duplicatePaymentIds timeline(at what payment? refund? type? eventId? sequence? endpointId? attempt? response? error? status? reason? nextAttemptAt?)`,
    example: 'carts show 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --stage prod',
    notes: `\
The timeline has the payments, the refunds, the events about the cart and their deliveries, in the order of time. Events and
deliveries stay for 30 days. An \`earlyRefund\` waits for its payment. If a payment caused no event, the command reads the
store's log from the payment to the end. Ctrl-C stops it. With --json, it also shows the buyer.`,
  }),
  find: define({
    summary: 'find the cart of a successful payment',
    options: { payment: required(PAYMENT_ID, 'the id of the payment, such as the `paymentId` of an event') },
    json: LISTED_JSON,
    example: 'carts find --payment 0b9f2c1e-64d7-4c3a-9a51-1de1c3a7f2b8 --stage prod',
    notes: `\
A successful payment claims its cart. The command reads the claim in each mode, and the cart: about three read units. A failed
payment claims no cart: use \`carts list --status payment_failed\`.`,
  }),
  list: define(
    {
      summary: 'list carts; without enough matches, it reads the whole tables',
      options: {
        store: optional(STORE, 'only carts of this store'),
        mode: optional(MODE, 'only carts of this mode'),
        status: optional(choice('status', CART_STATUSES), 'only carts of this status'),
        since: optional(TIME, 'only carts created then or later'),
        until: optional(TIME, 'only carts created before'),
        email: optional(
          anyText('address'),
          'only carts of this buyer; - reads the address from standard input',
        ),
        meta: optional(META, 'only carts with this entry of `meta`, such as order=A-1'),
        limit: defaulting(countUpTo(10_000), '100', 'the most carts of a page'),
        cursor: optional(CURSOR, 'continue after the page that printed this cursor'),
      },
      scans: true,
      json: `${LISTED_JSON} cursor?`,
      example: 'carts list --store shop --mode live --status payment_failed --since 24h --stage prod',
      notes: `\
It scans the tables of carts until it has found --limit carts. A scan has no order: a page has the first carts that it finds,
the newest of them first. To get the newest carts, choose a --since so late that the list ends without a cursor. No option
makes the scan cheaper: with --email or --meta, which few carts match, it reads all carts. Upper and lower case of an address are
the same.
Without a cursor, the list is complete. Otherwise, repeat the command with the --cursor that it prints. The pages have each
cart once. Ctrl-C ends the scan, and prints the carts so far with a cursor.`,
    },
    ({ mode, cursor, ...range }) => {
      checkRange(range);
      if (!cursor || cursor.table < cartTablesOf(mode).length) return;
      throw new UsageError('The cursor belongs to a list with other options: repeat them.');
    },
  ),
};
