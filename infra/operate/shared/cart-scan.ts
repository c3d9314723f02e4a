import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Cart, CartStatus } from '../../../lib/carts/cart.ts';
import { IS_CART } from '../../../lib/carts/item-ids.ts';
import { IS_NOT_PAST_DELETION, ttlValues } from '../../../lib/database/time-to-live.ts';
import { type Mode, MODES } from '../../../lib/stores/mode.ts';

const CART_TABLES = { live: 'carts', test: 'testCarts' } as const;

/** The tables with the carts of a mode. By default, of both. */
export const cartTablesOf = (mode?: Mode) => (mode ? [mode] : MODES).map((each) => CART_TABLES[each]);

/** The conditions of the carts to find. By default, each holds for every cart. No cart past its deletion time is found. */
export interface CartFilter {
  readonly storeId?: string | undefined;
  readonly mode?: Mode | undefined;
  /** The status at `nowMs`. */
  readonly status?: CartStatus | undefined;
  /** Created at this time or later. */
  readonly sinceMs?: number | undefined;
  /** Created before this time. */
  readonly untilMs?: number | undefined;
  /** A key and a value of `meta`. */
  readonly meta?: readonly [key: string, value: string] | undefined;
  /** Whether the buyer's e-mail address is returned too. Carts without one are then not found. */
  readonly withEmail?: boolean;
  readonly nowMs: number;
}

const LISTED_FIELDS = [
  'id',
  'storeId',
  'mode',
  'status',
  'createdAtMs',
  'updatedAtMs',
  'expiresAtMs',
  'productId',
  'price',
  'paymentId',
  'refunds',
] as const satisfies readonly (keyof Cart)[];

/** A cart in a list: without its `meta`, and without its buyer unless the e-mail address is asked for. */
export type ListedCart = Pick<Cart, (typeof LISTED_FIELDS)[number]> & {
  readonly customerInfo?: Pick<Cart['customerInfo'], 'email'>;
};

type Condition = readonly [condition: string, values: Readonly<Record<string, unknown>>];

/** The condition of a status. `abandoned` is never stored: see `statusAt`. */
const ofStatus = (status: CartStatus, nowMs: number): Condition => {
  const waiting = { ':status': 'waiting_payment', ':now': nowMs };
  switch (status) {
    case 'completed':
    case 'payment_failed':
      return ['#status = :status', { ':status': status }];
    case 'abandoned':
      return ['#status = :status AND #expiresAtMs <= :now', waiting];
    case 'waiting_payment':
      return ['#status = :status AND #expiresAtMs > :now', waiting];
  }
};

const EMAIL = 'customerInfo.email';

const conditionsOf = ({
  storeId,
  mode,
  status,
  sinceMs,
  untilMs,
  meta,
  withEmail,
  nowMs,
}: CartFilter): Condition[] => [
  [IS_NOT_PAST_DELETION, ttlValues(nowMs)],
  storeId === undefined ? [IS_CART, {}] : ['#storeId = :storeId', { ':storeId': storeId }],
  ...(mode === undefined ? [] : [['#mode = :mode', { ':mode': mode }] as const]),
  ...(status === undefined ? [] : [ofStatus(status, nowMs)]),
  ...(sinceMs === undefined ? [] : [['#createdAtMs >= :since', { ':since': sinceMs }] as const]),
  ...(untilMs === undefined ? [] : [['#createdAtMs < :until', { ':until': untilMs }] as const]),
  ...(meta ? [['#meta.#metaKey = :metaValue', { ':metaValue': meta[1] }] as const] : []),
  ...(withEmail ? [[`attribute_exists(${EMAIL})`, {}] as const] : []),
];

/**
 * The scan that finds carts in a table. DynamoDB drops the other carts, and returns {@link ListedCart}s. An index by store would
 * cost every new cart one more write unit.
 */
export const cartScan = (TableName: string, filter: CartFilter): ScanCommandInput => {
  const conditions = conditionsOf(filter);
  const { meta, withEmail } = filter;
  const projected = LISTED_FIELDS.map((field) => `#${field}`);
  const values = Object.assign({}, ...conditions.map(([, each]) => each)) as Record<string, unknown>;
  return {
    TableName,
    FilterExpression: conditions.map(([condition]) => condition).join(' AND '),
    ProjectionExpression: [...projected, ...(withEmail ? [EMAIL] : [])].join(', '),
    ExpressionAttributeNames: {
      ...Object.fromEntries(LISTED_FIELDS.map((field) => [`#${field}`, field])),
      ...(meta && { '#meta': 'meta', '#metaKey': meta[0] }),
    },
    ExpressionAttributeValues: values,
  };
};
