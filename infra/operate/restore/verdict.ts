import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { timerOfCart } from '../../../lib/carts/cart-timer.ts';
import { erasedCart, isErased } from '../../../lib/carts/erased-cart.ts';
import type { RawItem } from '../../../lib/core/batch-get.ts';
import { fromRawCart, keptItem, toItem } from '../../../lib/carts/cart-item.ts';
import { UnreadableItemError } from '../../../lib/core/schema-version.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import { keyNamesOf, TABLES } from '../../tables.ts';
import { hasCarts, MAY_REPLACE, type RestorableTable } from './commands.ts';

/** The facts on which a verdict depends, besides the two states of the item. */
interface Circumstances {
  readonly nowMs: number;
  /** The keys, endpoints or secrets that operators have revoked, removed or rotated since. */
  readonly ended: ReadonlySet<string>;
  /** Whether the ledger has an erasure of a cart. */
  readonly hasErasure: (cartId: string) => boolean;
}

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * The verdict on an item of the restored table:
 *
 * - `same`: the live table has it.
 * - `missing`: the live table lacks it. `item` is the one to copy.
 * - `different`: the live table has another state. `item` may replace it.
 * - `unerased`: the ledger lists the cart as erased, but the live table has its buyer's data again, because somebody restored
 *   that table by hand. `item` is the live one without this data.
 * - `stays`: the live table has another state, which no restore undoes.
 * - `ended`: the live table lacks it, because an operator has revoked, removed or rotated it since.
 * - `expired`: it is past its time to live.
 * - `malformed`: the release cannot read it.
 */
export type Verdict =
  | { readonly outcome: 'same' | 'stays' | 'ended' | 'expired' | 'malformed' }
  | {
      readonly outcome: 'missing' | 'different' | 'unerased';
      readonly item: RawItem;
      readonly condition: Condition;
      /** Whether the copy lacks buyer's data that the item has. */
      readonly isErasedAgain?: boolean;
    };

type Judge = (
  table: RestorableTable,
  then: RawItem,
  live: RawItem | undefined,
  circumstances: Circumstances,
) => Verdict;

const isMissing = (table: RestorableTable): Condition => ({
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': TABLES[table].partitionKey },
});

/** The attributes of a cart that later writes set. A copy must not undo them. */
const CHANGING = [
  'payments',
  'refunds',
  'earlyRefunds',
  'abandonmentRecordedAtMs',
  'personalDataErasedAtMs',
] as const;

/** The condition that a cart was not paid, refunded, abandoned, erased or deleted since it was read. */
const isAsRead = (live: RawItem): Condition => {
  const clauses = CHANGING.map((name) =>
    live[name] ? `${name} = :${name}` : `attribute_not_exists(${name})`,
  );
  const values: Record<string, AttributeValue> = {};
  for (const name of CHANGING) if (live[name]) values[`:${name}`] = live[name];
  return {
    ConditionExpression: ['attribute_exists(id)', ...clauses].join(' AND '),
    // DynamoDB rejects an empty list of values.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** Whether an item is the claim of a payment: `payment-store.ts`. */
const isClaim = ({ id, storeId }: RawItem): boolean => id?.S?.startsWith('payment#') === true && !storeId;

/** Whether a payment or a refund of a cart was recorded after the restored state. */
const wasPaidSince = (then: RawItem, live: RawItem): boolean =>
  (['payments', 'refunds', 'earlyRefunds'] as const).some(
    (list) => (live[list]?.L?.length ?? 0) > (then[list]?.L?.length ?? 0),
  );

/**
 * The cart to copy. The expiry of a lost cart counts as recorded, so that its copy causes no second `cart.abandoned`. A cart of
 * the live table keeps the record of its expiry.
 */
const withRecordedExpiry = (then: RawItem, live: RawItem | undefined, nowMs: number): RawItem => {
  if (live) {
    const { abandonmentRecordedAtMs, expiresAtMs } = live;
    return abandonmentRecordedAtMs && expiresAtMs ? { ...then, abandonmentRecordedAtMs, expiresAtMs } : then;
  }
  const isOpen = then['status']?.S === 'waiting_payment' && !then['abandonmentRecordedAtMs'];
  if (!isOpen || Number(then['expiresAtMs']?.N) > nowMs) return then;
  return { ...then, abandonmentRecordedAtMs: { N: String(nowMs) } };
};

/** A cart without its timer, which follows from its state. A run may have postponed it. */
const withoutTimer = ({ timer: _timer, timerAtMs: _timerAtMs, ...item }: RawItem): RawItem => item;

/** The copy of a cart, with the timer of its state. It has no buyer's data if the cart was erased since. */
const cartToCopy = (
  item: RawItem,
  { hasErasure, nowMs }: Circumstances,
): { readonly item: RawItem; readonly isErasedAgain: boolean } => {
  const cart = fromRawCart(item);
  if (isErased(cart) || !hasErasure(cart.id)) {
    const timer = marshall(timerOfCart(cart) ?? {});
    return { item: { ...withoutTimer(item), ...timer }, isErasedAgain: false };
  }
  const erased = marshall(toItem(erasedCart(cart, nowMs)), { removeUndefinedValues: true });
  return { item: erased, isErasedAgain: true };
};

/** Whether the live table has buyer's data of a cart again whose erasure the ledger has. */
const isUnerased = (live: RawItem, { hasErasure }: Circumstances): boolean =>
  !live['personalDataErasedAtMs'] && hasErasure(live['id']?.S ?? '');

const judgeCart: Judge = (table, then, live, circumstances) => {
  if (live && isUnerased(live, circumstances)) {
    return { outcome: 'unerased', ...cartToCopy(live, circumstances), condition: isAsRead(live) };
  }
  const isLive = (item: RawItem): boolean =>
    live !== undefined && isDeepStrictEqual(withoutTimer(item), withoutTimer(live));
  if (isLive(then)) return { outcome: 'same' };
  if (isClaim(then)) {
    return live ? { outcome: 'stays' } : { outcome: 'missing', item: then, condition: isMissing(table) };
  }
  if (!keptItem(then, circumstances.nowMs)) return { outcome: 'expired' };
  const item = withRecordedExpiry(then, live, circumstances.nowMs);
  if (isLive(item)) return { outcome: 'same' };
  if (live && (live['personalDataErasedAtMs'] || wasPaidSince(then, live))) return { outcome: 'stays' };
  return {
    outcome: live ? 'different' : 'missing',
    ...cartToCopy(item, circumstances),
    condition: live ? isAsRead(live) : isMissing(table),
  };
};

/** The last part of an item's key, which the audit log names. */
const idOf = (table: RestorableTable, item: RawItem): string =>
  item[keyNamesOf(table).at(-1) as string]?.S ?? '';

/** The copy of a lost endpoint. Its timer finds the deliveries that were parked after the time of the restored state. */
const endpointToCopy = (item: RawItem, nowMs: number): RawItem => {
  const timer = timerOf('probe', item['id']?.S ?? '', nowMs);
  return { ...item, ...marshall({ ...timer, parkedAtMs: nowMs }) };
};

const judgeOther: Judge = (table, then, live, { ended, nowMs }) => {
  if (!live) {
    if (ended.has(idOf(table, then))) return { outcome: 'ended' };
    const item = table === 'webhookEndpoints' ? endpointToCopy(then, nowMs) : then;
    return { outcome: 'missing', item, condition: isMissing(table) };
  }
  if (isDeepStrictEqual(then, live)) return { outcome: 'same' };
  return MAY_REPLACE[table] ? { outcome: 'different', item: then, condition: {} } : { outcome: 'stays' };
};

/** Judges an item of the restored table by the rules of its table. */
export const judge: Judge = (table, ...states) => {
  try {
    return hasCarts(table) ? judgeCart(table, ...states) : judgeOther(table, ...states);
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    return { outcome: 'malformed' };
  }
};
