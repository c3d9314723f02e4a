import { isDeepStrictEqual } from 'node:util';
import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isOtherItemId } from '../../../lib/carts/item-ids.ts';
import type { RawItem } from '../../../lib/database/batch-get.ts';
import { UnreadableItemError } from '../../../lib/database/readable-item.ts';
import { isPastDeletion } from '../../../lib/database/time-to-live.ts';
import { parseLogKey } from '../../../lib/events/logged-event.ts';
import { PAYMENT_LISTS } from '../../../lib/payments/payment-record-repository.ts';
import { kindOf, timerOf } from '../../../lib/timers/timer.ts';
import { keyNamesOf, tableKindOf } from '../../stage/tables.ts';
import { cartToCopy, type CopiedItem, withoutTimer, withRecordedExpiry } from './cart-copy.ts';
import { hasCarts, mayReplace, type RestorableTable } from './commands.ts';

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
export interface Copy extends CopiedItem {
  readonly condition: Pick<PutItemCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;
}

/** The verdicts on an item of the restored table, and what became of the copies, each with its line for a person. */
export const COUNTED = {
  same: 'equal in the live table',
  missing: 'missing in the live table',
  different: 'different: only --all replaces them',
  unerased: 'in the live table with buyer data, although it was erased',
  stays: 'different, and kept: no restore undoes a later change, such as a payment or a revocation',
  ended: 'missing, and kept so: an operator has revoked, removed or rotated them since',
  expired: 'past the time to live: never copied',
  malformed: 'unreadable: never copied',
  copied: 'copied',
  erasedAgain: 'copied without buyer data, because it was erased since',
  overtaken: 'changed by another writer at the same time: repeat the command',
} as const;

interface Verdict {
  readonly outcome: Exclude<keyof typeof COUNTED, 'copied' | 'erasedAgain' | 'overtaken'>;
  readonly copy?: Copy;
}

/** The last attribute of the key. It is unique in the table, and the audit log names it. */
const idNameOf = (table: RestorableTable): string => keyNamesOf(tableKindOf(table)).at(-1) as string;

/** The id of an item in its table. */
export const idOf = (table: RestorableTable, item: RawItem): string => item[idNameOf(table)]?.S ?? '';

/** The attributes of a cart that later writes set. A copy must not undo them. */
const CHANGING = [...PAYMENT_LISTS, 'abandonmentRecordedAtMs', 'personalDataErasedAtMs'];

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

/** Whether an item is that of a removed endpoint, which stays for up to an hour: `removed-endpoints.ts`. */
const isRemovedEndpoint = ({ removedAtMs }: RawItem): boolean => removedAtMs !== undefined;

const IS_REMOVED_ENDPOINT: Copy['condition'] = { ConditionExpression: 'attribute_exists(removedAtMs)' };

/** Whether an item of a table of carts is no cart. */
const isNoCart = ({ id, storeId }: RawItem): boolean => isOtherItemId(id?.S ?? '') && !storeId;

/** Whether a payment or a refund of a cart was recorded after the restored state. */
const wasPaidSince = (then: RawItem, live: RawItem): boolean =>
  PAYMENT_LISTS.some((list) => (live[list]?.L?.length ?? 0) > (then[list]?.L?.length ?? 0));

/** The copy of a lost endpoint. Its timer finds the deliveries that were parked after the time of the restored state. */
const endpointToCopy = (item: RawItem, nowMs: number): RawItem => {
  const { mode } = parseLogKey(item['log']?.S ?? '');
  const timer = timerOf(kindOf('probe', mode), item['id']?.S ?? '', nowMs);
  return { ...item, ...marshall({ ...timer, parks: Number(item['parks']?.N ?? 0) + 1 }) };
};

const toCopy = (table: RestorableTable, item: RawItem, { nowMs, hasErasure }: Circumstances): CopiedItem => {
  if (hasCarts(table) && !isNoCart(item)) return cartToCopy(item, nowMs, hasErasure);
  return { item: table === 'WebhookEndpoints' ? endpointToCopy(item, nowMs) : item };
};

/** Whether a later change of an item must stay. */
const mustStay = (table: RestorableTable, then: RawItem, live: RawItem): boolean =>
  !mayReplace(table) ||
  isNoCart(then) ||
  live['personalDataErasedAtMs'] !== undefined ||
  wasPaidSince(then, live);

/** The outcome for an item, whatever its copy is. */
const outcomeOf = (
  table: RestorableTable,
  item: RawItem,
  live: RawItem | undefined,
  { nowMs, ended, hasErasure }: Circumstances,
): Verdict['outcome'] => {
  // Somebody restored the live table by hand.
  if (live && !live['personalDataErasedAtMs'] && hasErasure(live['id']?.S ?? '')) return 'unerased';
  if (live && isDeepStrictEqual(withoutTimer(item), withoutTimer(live))) return 'same';
  if (!live && ended.has(idOf(table, item))) return 'ended';
  if (isRemovedEndpoint(item) || isPastDeletion(Number(item['deleteAtSeconds']?.N), nowMs)) return 'expired';
  if (!live) return 'missing';
  return mustStay(table, item, live) ? 'stays' : 'different';
};

/** Judges an item of the restored table. */
export const judge = (
  table: RestorableTable,
  then: RawItem,
  found: RawItem | undefined,
  circumstances: Circumstances,
): Verdict => {
  const live = found && isRemovedEndpoint(found) ? undefined : found;
  const item = withRecordedExpiry(then, live, circumstances.nowMs);
  const outcome = outcomeOf(table, item, live, circumstances);
  const source =
    outcome === 'unerased' ? live : outcome === 'missing' || outcome === 'different' ? item : undefined;
  if (!source) return { outcome };
  try {
    const condition = found && !live ? IS_REMOVED_ENDPOINT : isAsRead(table, live);
    const copy = { ...toCopy(table, source, circumstances), condition };
    return outcome === 'different' && !circumstances.all ? { outcome } : { outcome, copy };
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    return { outcome: 'malformed' };
  }
};
