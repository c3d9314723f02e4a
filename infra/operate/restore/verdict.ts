import { isDeepStrictEqual } from 'node:util';
import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { timerOfCart } from '../../../lib/carts/cart-timer.ts';
import { erasedCart, isErased } from '../../../lib/carts/erased-cart.ts';
import type { RawItem } from '../../../lib/core/batch-get.ts';
import { fromRawCart, keptItem, toItem } from '../../../lib/carts/cart-item.ts';
import { UnreadableItemError } from '../../../lib/core/schema-version.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import { keyNamesOf } from '../../tables.ts';
import { hasCarts, kindOf, mayReplace, type RestorableTable } from './commands.ts';

/** The facts on which a verdict depends, besides the two states of the item. */
interface Circumstances {
  /** Whether to replace items that differ. */
  readonly all: boolean;
  readonly nowMs: number;
  /** The keys, endpoints or secrets that operators have revoked, removed or rotated since. */
  readonly ended: ReadonlySet<string>;
  /** Whether the ledger has an erasure of a cart. */
  readonly hasErasure: (cartId: string) => boolean;
}

/** An item to write, if its condition holds. */
export interface Copy {
  readonly item: RawItem;
  readonly condition: Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;
  /** Whether the copy lacks buyer's data that the item has. */
  readonly isErasedAgain?: boolean;
}

/** The verdicts on an item of the restored table, each with its line for a person. */
export const OUTCOMES = {
  same: 'equal in the live table',
  missing: 'missing in the live table',
  different: 'different: only --all replaces them',
  unerased: 'in the live table with buyer data, although it was erased',
  stays: 'different, and kept: no restore undoes a later change, such as a payment or a revocation',
  ended: 'missing, and kept so: an operator has revoked, removed or rotated them since',
  expired: 'past the time to live: never copied',
  malformed: 'unreadable: never copied',
} as const;

interface Verdict {
  readonly outcome: keyof typeof OUTCOMES;
  readonly copy?: Copy;
}

type Judge = (
  table: RestorableTable,
  then: RawItem,
  live: RawItem | undefined,
  circumstances: Circumstances,
) => Verdict;

/** The attribute whose value the audit log names. */
const idNameOf = (table: RestorableTable): string => keyNamesOf(kindOf(table)).at(-1) as string;

/** The attributes of a cart that later writes set. A copy must not undo them. */
const CHANGING = [
  'payments',
  'refunds',
  'earlyRefunds',
  'abandonmentRecordedAtMs',
  'personalDataErasedAtMs',
] as const;

/** The condition that an item is still missing, or that it was not paid, refunded, abandoned, erased or deleted since. */
const isAsRead = (table: RestorableTable, live: RawItem = {}): Copy['condition'] => {
  const names = [idNameOf(table), ...CHANGING];
  const values = names.flatMap((name) => (live[name] ? [[`:${name}`, live[name]] as const] : []));
  return {
    ConditionExpression: names
      .map((name) => (live[name] ? `${name} = :${name}` : `attribute_not_exists(${name})`))
      .join(' AND '),
    // DynamoDB rejects an empty list of values.
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
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
const cartToCopy = (item: RawItem, { hasErasure, nowMs }: Circumstances): Omit<Copy, 'condition'> => {
  const cart = fromRawCart(item);
  if (isErased(cart) || !hasErasure(cart.id)) {
    return { item: { ...withoutTimer(item), ...marshall(timerOfCart(cart) ?? {}) } };
  }
  const erased = marshall(toItem(erasedCart(cart, nowMs)), { removeUndefinedValues: true });
  return { item: erased, isErasedAgain: true };
};

const judgeCart: Judge = (table, then, live, circumstances) => {
  const { all, hasErasure, nowMs } = circumstances;
  const condition = isAsRead(table, live);
  const isLive = (item: RawItem): boolean =>
    live !== undefined && isDeepStrictEqual(withoutTimer(item), withoutTimer(live));
  // Somebody restored the live table by hand.
  if (live && !live['personalDataErasedAtMs'] && hasErasure(live['id']?.S ?? '')) {
    return { outcome: 'unerased', copy: { ...cartToCopy(live, circumstances), condition } };
  }
  if (isLive(then)) return { outcome: 'same' };
  if (isClaim(then)) {
    return live ? { outcome: 'stays' } : { outcome: 'missing', copy: { item: then, condition } };
  }
  if (!keptItem(then, nowMs)) return { outcome: 'expired' };
  const item = withRecordedExpiry(then, live, nowMs);
  if (isLive(item)) return { outcome: 'same' };
  if (live && (live['personalDataErasedAtMs'] || wasPaidSince(then, live))) return { outcome: 'stays' };
  const copy = { ...cartToCopy(item, circumstances), condition };
  if (!live) return { outcome: 'missing', copy };
  return { outcome: 'different', ...(all && { copy }) };
};

/** The copy of a lost endpoint. Its timer finds the deliveries that were parked after the time of the restored state. */
const endpointToCopy = (item: RawItem, nowMs: number): RawItem => {
  const timer = timerOf('probe', item['id']?.S ?? '', nowMs);
  return { ...item, ...marshall({ ...timer, parkedAtMs: nowMs }) };
};

const judgeOther: Judge = (table, then, live, { all, ended, nowMs }) => {
  const condition = isAsRead(table, live);
  if (!live) {
    if (ended.has(then[idNameOf(table)]?.S ?? '')) return { outcome: 'ended' };
    const item = table === 'WebhookEndpoints' ? endpointToCopy(then, nowMs) : then;
    return { outcome: 'missing', copy: { item, condition } };
  }
  if (isDeepStrictEqual(then, live)) return { outcome: 'same' };
  if (!mayReplace(table)) return { outcome: 'stays' };
  return { outcome: 'different', ...(all && { copy: { item: then, condition } }) };
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
