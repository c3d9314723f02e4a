import type { Access } from '../../functions/operations.ts';
import type { TableKind } from '../tables.ts';

/** One call of DynamoDB that a function may make. */
export interface Permission {
  readonly table: TableKind;
  readonly action: 'GetItem' | 'PutItem' | 'UpdateItem';
}

/** The permissions of each access. */
export const PERMISSIONS: Readonly<Record<Access, readonly Permission[]>> = {
  // One conditional update of a key's item, or a read if its bucket is known to be empty.
  takeToken: [
    { table: 'apiKeys', action: 'UpdateItem' },
    { table: 'apiKeys', action: 'GetItem' },
  ],
  findProduct: [{ table: 'products', action: 'GetItem' }],
  findCart: [{ table: 'carts', action: 'GetItem' }],
  createCart: [{ table: 'carts', action: 'PutItem' }],
  savePayment: [{ table: 'carts', action: 'PutItem' }],
};
