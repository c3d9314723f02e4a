import { BatchGetItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { AnyCommand } from '../observe.ts';
import type { Call, CallKind, Parts, Scope } from './call.ts';
import { conditions, filters, updates } from './expressions.ts';
import { extrasOf, type Input } from './extras.ts';
import { inSchemaOrder } from './schema-order.ts';
import { transactions } from './transactions.ts';
import { attributes, values } from './values.ts';

/** Any input, valid or not: the types of the commands would reject most of what must behave the same. */
const command =
  (constructor: new (input: never) => object) =>
  (input: Input): AnyCommand =>
    new constructor(input as never) as AnyCommand;

/** The keys of a sequence: few, so that calls meet each other's items. */
export const ids = fc.integer({ min: 0, max: 3 });

const sorts = fc.integer({ min: 0, max: 4 });

const TABLE = ['TableName', 'ReturnConsumedCapacity', 'ExpressionAttributeNames'] as const;
const READ = [...TABLE, 'ConsistentRead', 'ProjectionExpression', 'AttributesToGet'] as const;
const WRITE = [...TABLE, 'ReturnItemCollectionMetrics', 'ExpressionAttributeValues'] as const;

const withExtras = (input: Input, extra: Input): Input => ({ ...input, ...extra });

const RETURN_VALUES = fc.constantFrom(
  undefined,
  'NONE',
  'ALL_OLD',
  'ALL_NEW',
  'UPDATED_OLD',
  'UPDATED_NEW',
  'SOME',
);
const OLD_ON_FAILURE = fc.constantFrom(undefined, 'ALL_OLD', 'NONE');

const itemOf = (parts: Parts, pk: string): Input => ({ ...parts.attributes, pk });

const writeOptions = (...fields: readonly string[]) => ({
  extra: extrasOf(...WRITE, ...fields),
  ReturnValues: RETURN_VALUES,
  ReturnValuesOnConditionCheckFailure: OLD_ON_FAILURE,
});

const writeFields = ({ ReturnValues, ReturnValuesOnConditionCheckFailure, condition, extra }: Parts): Input =>
  withExtras({ ReturnValues, ReturnValuesOnConditionCheckFailure, ...condition }, extra);

/** Texts close to the largest item, 400 KB. */
const largeTexts = fc.integer({ min: 409_000, max: 410_500 }).map((length) => 'x'.repeat(length));

const rangeKeys = fc.constantFrom(
  { KeyConditionExpression: 'pk = :pk' },
  { KeyConditionExpression: 'pk = :pk AND sk > :sk', values: { ':sk': 1 } },
  { KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high', values: { ':low': 1, ':high': 3 } },
  { KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)', values: { ':sk': 'a' } },
  { KeyConditionExpression: 'pk > :pk' },
  { KeyConditionExpression: '' },
);

const query = ({ id, range, filter, page, extra }: Parts, scope: Scope): Input => {
  const { values: rangeValues, ...condition } = range;
  const { ExpressionAttributeValues, ...filterFields } = filter;
  const bound = { ':pk': scope.key(id), ...rangeValues, ...ExpressionAttributeValues };
  const start = page.from === undefined ? {} : { ExclusiveStartKey: { pk: scope.key(id), sk: page.from } };
  const { from: _, ...pageFields } = page;
  const input = { TableName: scope.two, ...condition, ...filterFields, ...pageFields, ...start };
  return withExtras({ ...input, ExpressionAttributeValues: bound }, extra);
};

const pages = fc.record({
  Limit: fc.constantFrom(undefined, 1, 2, 0, -1),
  ScanIndexForward: fc.constantFrom(undefined, true, false),
  Select: fc.constantFrom(undefined, undefined, 'COUNT', 'ALL_ATTRIBUTES', 'SOME'),
  from: fc.option(sorts, { nil: undefined }),
});

const batchKeys = fc.array(fc.tuple(ids, sorts), { maxLength: 4 });

/** Every command that the service sends to its tables, and the writes of its operators. */
export const CALL_KINDS: Readonly<Record<string, CallKind>> = {
  Get: {
    weight: 6,
    parts: fc.record({ id: ids, extra: extrasOf(...READ, 'Key') }),
    build: ({ id, extra }, { one, key }) =>
      command(GetCommand)(withExtras({ TableName: one, Key: { pk: key(id) } }, extra)),
  },
  'Get by two keys': {
    weight: 3,
    parts: fc.record({
      id: ids,
      sort: fc.oneof({ weight: 9, arbitrary: sorts }, values),
      extra: extrasOf(...READ),
    }),
    build: ({ id, sort, extra }, { two, key }) =>
      command(GetCommand)(withExtras({ TableName: two, Key: { pk: key(id), sk: sort } }, extra)),
  },
  GetItem: {
    weight: 4,
    parts: fc.record({ id: ids, extra: extrasOf(...READ) }),
    build: ({ id, extra }, { one, key }) =>
      command(GetItemCommand)(withExtras({ TableName: one, Key: { pk: { S: key(id) } } }, extra)),
  },
  Put: {
    weight: 10,
    parts: fc.record({ id: ids, attributes, condition: conditions, ...writeOptions('Item') }),
    build: (parts, { one, key }) =>
      command(PutCommand)({ TableName: one, Item: itemOf(parts, key(parts.id)), ...writeFields(parts) }),
  },
  'Put by two keys': {
    weight: 6,
    parts: fc.record({ id: ids, sort: sorts, attributes, condition: conditions, ...writeOptions('Item') }),
    build: (parts, { two, key }) => {
      const Item = { ...itemOf(parts, key(parts.id)), sk: parts.sort };
      return command(PutCommand)({ TableName: two, Item, ...writeFields(parts) });
    },
  },
  'Put a few': {
    weight: 2,
    parts: fc.record({ id: ids, attributes, condition: fc.constant({}), ...writeOptions('Item') }),
    build: (parts, { few }) =>
      command(PutCommand)({ TableName: few, Item: itemOf(parts, `few-${parts.id}`), ...writeFields(parts) }),
  },
  'Put a large item': {
    weight: 0.05,
    parts: fc.record({ id: ids, text: largeTexts }),
    build: ({ id, text }, { one, key }) =>
      command(PutCommand)({ TableName: one, Item: { pk: key(id), text } }),
  },
  Update: {
    weight: 10,
    parts: fc.record({ id: ids, condition: updates, ...writeOptions('Key') }),
    build: (parts, { one, key }) =>
      command(UpdateCommand)({ TableName: one, Key: { pk: key(parts.id) }, ...writeFields(parts) }),
  },
  Delete: {
    weight: 4,
    parts: fc.record({ id: ids, condition: conditions, ...writeOptions('Key') }),
    build: (parts, { one, key }) =>
      command(DeleteCommand)({ TableName: one, Key: { pk: key(parts.id) }, ...writeFields(parts) }),
  },
  Query: {
    weight: 6,
    parts: fc.record({
      id: ids,
      range: rangeKeys,
      filter: filters,
      page: pages,
      extra: extrasOf(...READ, 'ExpressionAttributeValues'),
    }),
    build: (parts, scope) => command(QueryCommand)(query(parts, scope)),
  },
  Scan: {
    weight: 3,
    parts: fc.record({
      filter: filters,
      Limit: fc.constantFrom(undefined, 1, 2),
      extra: extrasOf(...READ, 'ExpressionAttributeValues'),
    }),
    build: ({ filter, Limit, extra }, { few }) =>
      command(ScanCommand)(withExtras({ TableName: few, Limit, ...filter }, extra)),
  },
  BatchGet: {
    weight: 3,
    // The keys are of one table, because the embedded database orders tables at random.
    parts: fc.record({ keys: batchKeys, isSorted: fc.boolean(), extra: extrasOf('ReturnConsumedCapacity') }),
    build: ({ keys, isSorted, extra }, { one, two, key }) => {
      const Keys = keys.map(([id, sort]: [number, number]) => ({
        pk: key(id),
        ...(isSorted && { sk: sort }),
      }));
      const RequestItems = { [isSorted ? two : one]: { Keys, ConsistentRead: true } };
      return command(BatchGetCommand)(withExtras({ RequestItems }, extra));
    },
  },
  BatchGetItem: {
    weight: 3,
    parts: fc.record({ keys: batchKeys, extra: extrasOf('ReturnConsumedCapacity') }),
    build: ({ keys, extra }, { one, key }) => {
      const Keys = keys.map(([id]: [number]) => ({ pk: { S: key(id) } }));
      return command(BatchGetItemCommand)(withExtras({ RequestItems: { [one]: { Keys } } }, extra));
    },
  },
  BatchWrite: {
    weight: 4,
    parts: fc.record({
      puts: fc.array(fc.record({ id: ids, attributes }), { maxLength: 3 }),
      deletes: fc.array(ids, { maxLength: 2 }),
      many: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.constant(26)),
      extra: extrasOf('ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'),
    }),
    build: ({ puts, deletes, many, extra }, { one, key }) => {
      const requests = [
        ...(many > 0 ? [] : puts).map((put: Parts) => ({ PutRequest: { Item: itemOf(put, key(put.id)) } })),
        ...deletes.map((id: number) => ({ DeleteRequest: { Key: { pk: key(id) } } })),
        ...Array.from({ length: many }, (_, index) => ({ DeleteRequest: { Key: { pk: key(100 + index) } } })),
      ];
      return command(BatchWriteCommand)(withExtras({ RequestItems: { [one]: requests } }, extra));
    },
  },
  ...transactions,
};

/** A call of any kind, with its frequency. */
export const calls: fc.Arbitrary<Call> = fc.oneof(
  ...Object.entries(CALL_KINDS).map(([kind, { weight, parts }]) => ({
    weight: weight * 20,
    arbitrary: parts.map((generated) => ({ kind, parts: generated as Parts })),
  })),
);

/** The command of a call on one side. */
export const commandOf = ({ kind, parts }: Call, scope: Scope): AnyCommand => {
  const callKind = CALL_KINDS[kind];
  if (callKind === undefined) throw new Error(`There is no kind of call ${kind}`);
  return inSchemaOrder(callKind.build(parts, scope));
};
