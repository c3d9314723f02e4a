import type { Access } from '../../functions/operations.ts';
import type { TableKind } from '../tables.ts';

/** One call of DynamoDB that a function may make. */
export interface Permission {
  readonly table: TableKind;
  readonly action: 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'ConditionCheckItem';
  /** A pattern of the partition keys that the call may name, such as `test#*`. By default, it may name any. */
  readonly leadingKeys?: string;
}

/** A change and its event are one transaction, after a read of the last event. The first event of a log needs checks. */
const APPEND_EVENTS: readonly Permission[] = [
  { table: 'events', action: 'Query' },
  { table: 'events', action: 'PutItem' },
  { table: 'events', action: 'ConditionCheckItem' },
];

/** The permissions of each access. */
export const PERMISSIONS: Readonly<Record<Access, readonly Permission[]>> = {
  // One conditional update of a key's item, or a read if its bucket is known to be empty.
  takeToken: [
    { table: 'apiKeys', action: 'UpdateItem' },
    { table: 'apiKeys', action: 'GetItem' },
  ],
  findProduct: [{ table: 'products', action: 'GetItem' }],
  // The first reader creates the secret.
  readIdempotencySecret: [
    { table: 'secrets', action: 'GetItem' },
    { table: 'secrets', action: 'PutItem' },
  ],
  // Of either mode.
  findCart: [
    { table: 'carts', action: 'GetItem' },
    { table: 'testCarts', action: 'GetItem' },
  ],
  createCart: [
    { table: 'carts', action: 'PutItem' },
    { table: 'testCarts', action: 'PutItem' },
  ],
  savePayment: [
    { table: 'carts', action: 'PutItem' },
    { table: 'testCarts', action: 'PutItem' },
  ],
  // The sandbox is public, so it reaches no live cart.
  findTestCart: [{ table: 'testCarts', action: 'GetItem' }],
  saveTestPayment: [{ table: 'testCarts', action: 'PutItem' }],
  appendEvents: APPEND_EVENTS,
  // The sandbox is public, so it reaches no log of live mode: `logKey` in `lib/events/store-event.ts`.
  appendTestEvents: APPEND_EVENTS.map((permission) => ({ ...permission, leadingKeys: 'test#*' })),
  readEvents: [{ table: 'events', action: 'Query' }],
  // It also needs `appendEvents`.
  abandonCarts: [
    { table: 'carts', action: 'BatchGetItem' },
    { table: 'testCarts', action: 'BatchGetItem' },
    { table: 'carts', action: 'UpdateItem' },
    { table: 'testCarts', action: 'UpdateItem' },
  ],
};
