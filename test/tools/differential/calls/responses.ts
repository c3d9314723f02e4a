import fc from 'fast-check';
import { texts } from './values.ts';

/** Values of attributes as DynamoDB sends them, and as only a broken server would. */
const { attributeValue } = fc.letrec<{ attributeValue: unknown }>((tie) => ({
  attributeValue: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'attributeValue' },
    texts.map((S) => ({ S })),
    fc
      .oneof(
        fc.integer().map(String),
        fc.constantFrom('-0', '1e125', '9007199254740993', `0.${'1'.repeat(30)}`, '1E-130', '9'.repeat(38), 'NaN', ''),
      )
      .map((N) => ({ N })),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constantFrom<unknown>({ NULL: true }, { NULL: false }),
    fc.array(texts, { maxLength: 3 }).map((SS) => ({ SS })),
    fc.array(fc.integer().map(String), { maxLength: 3 }).map((NS) => ({ NS })),
    fc.array(fc.constantFrom('', 'AA==', 'AQID'), { maxLength: 3 }).map((BS) => ({ BS })),
    fc.array(tie('attributeValue'), { maxLength: 3, depthIdentifier: 'attributeValue' }).map((L) => ({ L })),
    fc.dictionary(texts, tie('attributeValue'), { maxKeys: 3, depthIdentifier: 'attributeValue' }).map((M) => ({ M })),
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(
        {},
        null,
        'text',
        7,
        [],
        { X: 'unknown type' },
        { S: 'two', N: '1' },
        { S: null },
        { N: 7 },
        { B: '***' },
        { B: 'A' },
        { L: null },
        { L: [null] },
        { M: { a: null } },
        { BS: 'text' },
      ),
    },
  ),
}));

const items: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(texts, attributeValue, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, [], 'text', 7) },
);

const lists: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 9, arbitrary: fc.array(items, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, 'text') },
);

const capacity = fc.constantFrom<unknown>(
  null,
  { TableName: 't', CapacityUnits: 0.5 },
  { TableName: 't', CapacityUnits: 2, Table: { CapacityUnits: 1, Unknown: 1 }, GlobalSecondaryIndexes: { i: { CapacityUnits: 1 } } },
);

const batches = fc.dictionary(fc.constantFrom('t', 'u'), lists, { maxKeys: 2 });

const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Item: items,
  Attributes: items,
  Items: lists,
  Count: fc.nat(),
  ScannedCount: fc.nat(),
  LastEvaluatedKey: items,
  ConsumedCapacity: fc.oneof(capacity, fc.array(capacity, { maxLength: 2 })),
  Responses: batches,
  UnprocessedKeys: fc.dictionary(fc.constantFrom('t'), lists.map((Keys) => ({ Keys, ConsistentRead: true }))),
  UnprocessedItems: fc.dictionary(
    fc.constantFrom('t'),
    fc.array(items.map((item) => ({ PutRequest: { Item: item }, DeleteRequest: { Key: item } })), { maxLength: 2 }),
  ),
  ItemCollectionMetrics: fc.constantFrom<unknown>({ ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }, {
    t: [{ ItemCollectionKey: { pk: { B: 'AA==' } }, SizeEstimateRangeGB: [0, 1] }],
  }),
  Unknown: fc.constantFrom<unknown>(1, { nested: null }),
  message: texts,
  __type: fc.constantFrom('com.amazonaws.dynamodb.v20120810#GetItemOutput'),
};

const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  Get: ['Item', 'ConsumedCapacity', 'Unknown', '__type'],
  Query: ['Items', 'Count', 'ScannedCount', 'LastEvaluatedKey', 'ConsumedCapacity'],
  Scan: ['Items', 'Count', 'ScannedCount', 'LastEvaluatedKey', 'message'],
  BatchGet: ['Responses', 'UnprocessedKeys', 'ConsumedCapacity'],
  BatchWrite: ['UnprocessedItems', 'ItemCollectionMetrics', 'ConsumedCapacity'],
  Transact: ['ConsumedCapacity', 'ItemCollectionMetrics', 'Unknown'],
  '': ['Attributes', 'ConsumedCapacity', 'ItemCollectionMetrics', 'Item'],
};

const bodies = Object.entries(FIELDS_OF).map(([beginning, fields]) => {
  const model = Object.fromEntries(fields.map((field) => [field, FIELDS[field] ?? fc.constant(null)]));
  return { beginning, body: fc.record(model, { requiredKeys: [] }).map((body) => JSON.stringify(body)) };
});

/** Bodies of successful responses to a kind of call: valid ones, and some that are none. */
export const successBodies = (kind: string): fc.Arbitrary<string> => {
  const { body } = bodies.find(({ beginning }) => kind.startsWith(beginning)) ?? {};
  if (body === undefined) throw new Error(`There is no response for ${kind}`);
  return body;
};
