import type { Access } from '../../functions/operations.ts';
import { BUCKET_ATTRIBUTES } from '../../lib/api-keys/take-expressions.ts';
import type { TableKind } from '../tables.ts';

/** One call of DynamoDB that a function may make. A transaction needs the permission of each of its writes. */
export interface Permission {
  readonly table: TableKind;
  readonly action: 'BatchGetItem' | 'DeleteItem' | 'GetItem' | 'PutItem' | 'Query' | 'UpdateItem';
  /** The only attributes that the call may name. Default: all. */
  readonly attributes?: readonly string[];
  /** The partition keys that the call may reach, as a pattern of IAM. Default: all. */
  readonly partitionKeys?: string;
}

/** The condition of a permission's IAM statement, if it has one. */
export const conditionsOf = ({
  attributes,
  partitionKeys,
}: Permission): Readonly<Record<string, object>> | undefined => {
  // `ForAllValues` also holds for a request without the condition key, so the key must be there.
  if (attributes) {
    return {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
      Null: { 'dynamodb:Attributes': 'false' },
    };
  }
  if (partitionKeys === undefined) return undefined;
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitionKeys] },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
};

/** The permissions of each access. */
export const PERMISSIONS: Readonly<Record<Access, readonly Permission[]>> = {
  // One conditional update of a key's item, or a read if its bucket is known to be empty. All other attributes of a key
  // (store, mode, label, locale, revocation, expiry) are read-only to functions.
  takeToken: [
    { table: 'apiKeys', action: 'UpdateItem', attributes: BUCKET_ATTRIBUTES },
    { table: 'apiKeys', action: 'GetItem' },
  ],
  findProduct: [{ table: 'products', action: 'GetItem' }],
  findStore: [{ table: 'stores', action: 'GetItem' }],
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
};
