import { RETURN_URL_ATTRIBUTE } from '../../../lib/carts/cart-item.ts';
import { retrievedCartSchema } from '../../../lib/carts/cart-view-schema.ts';
import { DAY_MS } from '../../../lib/core/durations.ts';
import type { TableKind } from '../../../lib/database/tables.ts';
import { DELIVERY_RETENTION_SECONDS } from '../../../lib/deliveries/records/delivery-repository.ts';
import { CART_RULES } from '../../../lib/erasures/erased-fields.ts';
import { EVENT_DELETED_MS, EVENT_KEPT_MS } from '../../../lib/events/event-age.ts';
import { CART_LIFETIME } from '../../stage/stage-config.ts';
import { tableIdOf } from '../../stage/tables.ts';
import { code, codes, table } from './markdown.ts';

type Privacy = readonly [data: string, howLong: string, erasedBy: string];

const days = (ms: number): string => `${ms / DAY_MS} days`;

/** A table without buyers. */
const kept = (data: string, howLong = 'permanently'): Privacy => [data, howLong, 'not needed'];

/** The fields of a cart that an erasure removes or empties. */
const ERASED = Object.entries(CART_RULES).flatMap(([field, rule]) => (rule === 'kept' ? [] : [field]));

/** Their attributes in the table. */
const ERASED_ATTRIBUTES = ERASED.map((field) => (field === 'returnUrl' ? RETURN_URL_ATTRIBUTE : field));

/** Those that an event has. */
const SHOWN = ERASED.filter((field) => Object.hasOwn(retrievedCartSchema.shape, field));

const PRIVACY: Readonly<Record<TableKind, Privacy>> = {
  carts: [
    `of live carts: ${codes(ERASED_ATTRIBUTES)}`,
    `unpaid: until ${days(1_000 * CART_LIFETIME.retentionSeconds)} after the expiry; completed: \`personalDataDays\`, then empty`,
    'retention and erase',
  ],
  testCarts: [
    'of test carts: the same fields. They should hold no real buyers',
    'as `Carts`',
    'retention and erase',
  ],
  events: [
    `of the cart at the time of the event: ${codes(SHOWN)}`,
    `${days(EVENT_DELETED_MS)}; readers get it for at least ${days(EVENT_KEPT_MS)}`,
    'erase',
  ],
  deliveries: [
    'none, but the first 500 characters of a response may repeat some',
    `${days(1_000 * DELIVERY_RETENTION_SECONDS)} after the last attempt or erasure`,
    'erase',
  ],
  erasures: kept('none: ids and modes of erased carts, and when'),
  apiKeys: kept(
    "none of buyers: hashes of merchants' keys, with labels",
    'permanently, but those of `accept` for a week',
  ),
  products: kept('none'),
  secrets: kept('none', 'permanently, but the ids of removed endpoints for 60 days'),
  stores: kept('none of buyers: the names of stores'),
  webhookEndpoints: kept(
    "none of buyers: merchants' addresses",
    'until the endpoint is removed; its id for up to an hour more',
  ),
};

/** The personal data in each table of a stage. */
export const privacyTable = (): string =>
  table([
    ['Table', 'Personal data', 'How long', 'Erased by'],
    ...Object.entries(PRIVACY).map(([kind, cells]) => [code(tableIdOf(kind as TableKind)), ...cells]),
  ]);
