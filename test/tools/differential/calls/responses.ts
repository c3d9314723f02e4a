import fc from 'fast-check';
import { texts } from './values.ts';

/** Values of attributes as DynamoDB sends them, and numbers that it never sends. */
const { attributeValue } = fc.letrec<{ attributeValue: unknown }>((tie) => ({
  attributeValue: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'attributeValue' },
    texts.map((S) => ({ S })),
    fc
      .oneof(
        fc.integer().map(String),
        fc.constantFrom(
          '-0',
          '1e125',
          '9.99E+125',
          '9007199254740993',
          `0.${'1'.repeat(30)}`,
          '1E-130',
          '9'.repeat(38),
          'NaN',
          '',
        ),
      )
      .map((N) => ({ N })),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constantFrom<unknown>({ NULL: true }, { NULL: false }),
    fc.array(texts, { maxLength: 3 }).map((SS) => ({ SS })),
    fc.array(fc.integer().map(String), { maxLength: 3 }).map((NS) => ({ NS })),
    fc.array(fc.constantFrom('', 'AA==', 'AQID'), { maxLength: 3 }).map((BS) => ({ BS })),
    fc.array(tie('attributeValue'), { maxLength: 3, depthIdentifier: 'attributeValue' }).map((L) => ({ L })),
    fc
      .dictionary(texts, tie('attributeValue'), { maxKeys: 3, depthIdentifier: 'attributeValue' })
      .map((M) => ({ M })),
  ),
}));

const items = fc.dictionary(texts, attributeValue, { maxKeys: 4 });

const lists = fc.array(items, { maxLength: 3 });

const capacity = fc.constantFrom<unknown>(
  { TableName: 't', CapacityUnits: 0.5 },
  {
    TableName: 't',
    CapacityUnits: 2,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: { i: { CapacityUnits: 1 } },
  },
);

const batches = fc.dictionary(fc.constantFrom('t', 'u'), lists, { maxKeys: 2 });

const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Item: items,
  Attributes: items,
  Items: lists,
  Count: fc.nat(),
  ScannedCount: fc.nat(),
  LastEvaluatedKey: items,
  ConsumedCapacity: capacity,
  CapacityByTable: fc.array(capacity, { maxLength: 2 }),
  Responses: batches,
  UnprocessedKeys: fc.dictionary(
    fc.constantFrom('t'),
    lists.map((Keys) => ({ Keys, ConsistentRead: true })),
  ),
  UnprocessedItems: fc.dictionary(
    fc.constantFrom('t'),
    fc.array(
      items.map((item) => ({ PutRequest: { Item: item }, DeleteRequest: { Key: item } })),
      { maxLength: 2 },
    ),
  ),
  ItemCollectionMetrics: fc.constant({ ItemCollectionKey: { pk: { S: 'a' } }, SizeEstimateRangeGB: [0, 1] }),
  MetricsByTable: fc.constant({
    t: [{ ItemCollectionKey: { pk: { B: 'AA==' } }, SizeEstimateRangeGB: [0, 1] }],
  }),
};

const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  Get: ['Item', 'ConsumedCapacity'],
  Query: ['Items', 'Count', 'ScannedCount', 'LastEvaluatedKey', 'ConsumedCapacity'],
  Scan: ['Items', 'Count', 'ScannedCount', 'LastEvaluatedKey'],
  BatchGet: ['Responses', 'UnprocessedKeys', 'CapacityByTable'],
  BatchWrite: ['UnprocessedItems', 'MetricsByTable', 'CapacityByTable'],
  Transact: ['CapacityByTable', 'MetricsByTable'],
  '': ['Attributes', 'ConsumedCapacity', 'ItemCollectionMetrics'],
};

/** Some fields have another form in the responses of some commands. */
const NAMES: Readonly<Record<string, string>> = {
  CapacityByTable: 'ConsumedCapacity',
  MetricsByTable: 'ItemCollectionMetrics',
};

const bodies = Object.entries(FIELDS_OF).map(([beginning, fields]) => {
  const model = Object.fromEntries(
    fields.map((field) => [NAMES[field] ?? field, FIELDS[field] ?? fc.constant(null)]),
  );
  return { beginning, body: fc.record(model, { requiredKeys: [] }).map((body) => JSON.stringify(body)) };
});

/** Bodies of successful responses to a kind of call. */
export const successBodies = (kind: string): fc.Arbitrary<string> => {
  const { body } = bodies.find(({ beginning }) => kind.startsWith(beginning)) ?? {};
  if (body === undefined) throw new Error(`There is no response for ${kind}`);
  return body;
};
