import type { Access } from '../../functions/operations.ts';
import type { TableKind } from '../tables.ts';

/** One call of DynamoDB that a function may make. */
export interface Permission {
  readonly table: TableKind;
  readonly action: 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'Query';
}

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
  scheduleDue: [{ table: 'due', action: 'PutItem' }],
  // The position, the entries of each minute, and their end: done or postponed.
  runDue: [
    { table: 'due', action: 'GetItem' },
    { table: 'due', action: 'Query' },
    { table: 'due', action: 'PutItem' },
    { table: 'due', action: 'DeleteItem' },
  ],
  findEndpoints: [{ table: 'webhookEndpoints', action: 'Query' }],
};
