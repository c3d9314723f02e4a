import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { unlessConditionFails } from '../../../lib/database/conditional-writes.ts';
import { type Changes, updateOf } from '../../../lib/database/expressions.ts';
import { givenDatabase } from '../../support/database/database.ts';

const { documents, tableNames } = await givenDatabase();
const TableName = tableNames.carts;

/** Stores an item, updates it, and reads it. */
const updated = async (id: string, item: object, changes: Changes) => {
  const Key = { id };
  await documents.send(new PutCommand({ TableName, Item: { ...Key, ...item } }));
  const command = new UpdateCommand({ TableName, Key, ...updateOf(changes) });
  await documents.send(command);
  return (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
};

it.each<[string, before: object, Changes, after: object]>([
  ['sets several', { kept: 1 }, { set: { a: 'x', b: { deep: [2] } } }, { kept: 1, a: 'x', b: { deep: [2] } }],
  ['removes several', { kept: 1, a: 2, b: 3 }, { remove: ['a', 'b'] }, { kept: 1 }],
  ['sets and removes', { a: 1, b: 2, c: 3 }, { set: { a: 4 }, remove: ['c', 'b'] }, { a: 4 }],
  ['removes one that is missing', { a: 1 }, { remove: ['b'] }, { a: 1 }],
  ['names reserved words', { size: 1, status: 2 }, { set: { size: 3 }, remove: ['status'] }, { size: 3 }],
  ['leaves what is undefined', { a: 1 }, { set: { a: undefined, b: 2 } }, { a: 1, b: 2 }],
  ['sets only what is missing', { a: 1 }, { setIfMissing: { a: 2, b: 3 } }, { a: 1, b: 3 }],
  ['appends', { a: [1] }, { append: { a: [2, 3], b: [4], c: undefined } }, { a: [1, 2, 3], b: [4] }],
  ['adds', { a: 1 }, { add: { a: 2, b: 3 }, set: { c: 4 } }, { a: 3, b: 3, c: 4 }],
])('an update %s', async (title, before, changes, after) => {
  expect(await updated(title, before, changes)).toStrictEqual({ id: title, ...after });
});

it.each([
  [1, { id: 'conditional', status: 1, b: 2 }],
  [3, { id: 'conditional', status: 1 }],
])('a condition has its own names and values: %j', async (status, after) => {
  const condition = {
    ConditionExpression: '#state = :state AND attribute_not_exists(#b)',
    ExpressionAttributeNames: { '#state': 'status' },
    ExpressionAttributeValues: { ':state': status },
  };
  const Key = { id: 'conditional' };
  await documents.send(new PutCommand({ TableName, Item: { ...Key, status: 1 } }));
  const command = new UpdateCommand({ TableName, Key, ...updateOf({ set: { b: 2 } }, condition) });
  await unlessConditionFails(documents.send(command));
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  expect(Item).toStrictEqual(after);
});
