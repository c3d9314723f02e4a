import fc from 'fast-check';

/** The input of a command, as far as its types are not needed. */
export type Input = Readonly<Record<string, unknown>>;

/** Fields to add to an input or to replace in it. The types of the commands accept them. DynamoDB rejects many. */
const EXTRAS: readonly Input[] = [
  { ReturnConsumedCapacity: 'TOTAL' },
  { ReturnConsumedCapacity: 'INDEXES' },
  { ReturnConsumedCapacity: 'SOME' },
  { ReturnItemCollectionMetrics: 'SIZE' },
  { ConsistentRead: true },
  { ExpressionAttributeNames: undefined },
  { ExpressionAttributeNames: {} },
  { ExpressionAttributeValues: undefined },
  { ExpressionAttributeValues: {} },
  { ExpressionAttributeValues: { ':unused': 1 } },
  { ProjectionExpression: 'a, n' },
  { ProjectionExpression: 'a,' },
  { AttributesToGet: ['a'] },
  { TableName: undefined },
  { TableName: '' },
  { TableName: 'a' },
  { TableName: 'no such table' },
  { TableName: 'no-such-table' },
  { Key: undefined },
  { Key: {} },
  { Key: { pk: '' } },
  { Key: { pk: 7 } },
  { Key: { pk: 'a', other: 'b' } },
  { Item: undefined },
  { Item: {} },
  { Item: { pk: new Uint8Array(3) } },
];

/** Some of the fields that a command has, for few of its calls. */
export const extrasOf = (...fields: readonly string[]): fc.Arbitrary<Input> => {
  const possible = EXTRAS.filter((extra) => Object.keys(extra).every((field) => fields.includes(field)));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Input>({}) },
    { weight: 1, arbitrary: fc.constantFrom(...possible) },
  );
};
