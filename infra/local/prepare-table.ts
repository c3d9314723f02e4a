import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Documents } from '../../lib/core/documents.ts';
import { OperatorError } from '../operator-error.ts';
import type { IndexDefinition, SortKey, TableDefinition } from '../tables.ts';

type Key = Pick<CreateTableCommandInput, 'KeySchema' | 'AttributeDefinitions'>;

const ATTRIBUTE_TYPES = { string: 'S', number: 'N' } as const;

const keyOf = ({ partitionKey, sortKey }: Pick<TableDefinition, 'partitionKey' | 'sortKey'>) => {
  const partition: SortKey = { name: partitionKey, type: 'string' };
  const attributes = sortKey === undefined ? [partition] : [partition, sortKey];
  return {
    KeySchema: attributes.map(({ name }, index) => ({
      AttributeName: name,
      KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
    })),
    AttributeDefinitions: attributes.map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: ATTRIBUTE_TYPES[type],
    })),
  };
};

const keyOfIndex = ({ partitionKey, sortKey }: IndexDefinition) =>
  keyOf({ partitionKey, ...(sortKey !== undefined && { sortKey: { name: sortKey, type: 'string' } }) });

/** A key such as `storeId (S), createdAt (S)`. */
const keyText = ({ KeySchema = [], AttributeDefinitions = [] }: Key): string =>
  KeySchema.map(({ AttributeName: name }) => {
    const attribute = AttributeDefinitions.find(({ AttributeName }) => AttributeName === name);
    return `${name} (${attribute?.AttributeType})`;
  }).join(', ');

const requireKey = (place: string, stored: Key, needed: Key): void => {
  if (keyText(stored) === keyText(needed)) return;
  throw new OperatorError(
    `${place} has the key ${keyText(stored)}, and this version needs ${keyText(needed)}: ` +
      'keep that database with the version that made it, and choose another with --data FILE or --dynamodb URL.',
  );
};

const indexOf = (index: IndexDefinition) => ({
  IndexName: index.name,
  KeySchema: keyOfIndex(index).KeySchema,
  Projection: { ProjectionType: 'ALL' as const },
});

/** Adds the indexes that a stored table lacks. An index that only another version uses stays. */
const migrateIndexes = async (
  documents: Documents,
  tableName: string,
  definition: TableDefinition,
): Promise<void> => {
  const { Table = {} } = await documents.send(new DescribeTableCommand({ TableName: tableName }));
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = Table;
  requireKey(`The table ${tableName}`, { KeySchema, AttributeDefinitions }, keyOf(definition));
  for (const index of definition.indexes ?? []) {
    const stored = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index.name);
    if (stored) {
      const place = `The index ${index.name} of the table ${tableName}`;
      requireKey(place, { KeySchema: stored.KeySchema, AttributeDefinitions }, keyOfIndex(index));
    } else {
      const command = new UpdateTableCommand({
        TableName: tableName,
        AttributeDefinitions: keyOfIndex(index).AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
      });
      await documents.send(command);
    }
  }
};

const setTtl = (
  documents: Documents,
  tableName: string,
  attribute: string,
  enabled: boolean,
): Promise<unknown> =>
  documents.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: attribute, Enabled: enabled },
    }),
  );

const migrateTtl = async (
  documents: Documents,
  tableName: string,
  { ttlAttribute }: TableDefinition,
): Promise<void> => {
  const { TimeToLiveDescription: stored } = await documents.send(
    new DescribeTimeToLiveCommand({ TableName: tableName }),
  );
  const isEnabled = stored?.TimeToLiveStatus === 'ENABLED';
  const storedAttribute = isEnabled ? stored.AttributeName : undefined;
  if (storedAttribute === ttlAttribute) return;
  if (storedAttribute !== undefined) await setTtl(documents, tableName, storedAttribute, false);
  if (ttlAttribute !== undefined) await setTtl(documents, tableName, ttlAttribute, true);
};

/**
 * Creates a table. An existing table, which another version may have made, keeps its data and gets the indexes and the
 * TTL that it lacks.
 *
 * @throws OperatorError if the table or one of its indexes has another key
 */
export const prepareTable = async (
  documents: Documents,
  tableName: string,
  definition: TableDefinition,
): Promise<void> => {
  const { indexes = [] } = definition;
  const keys = [keyOf(definition), ...indexes.map(keyOfIndex)];
  const attributes = new Map(
    keys.flatMap((key) => key.AttributeDefinitions).map((attribute) => [attribute.AttributeName, attribute]),
  );
  const command = new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keyOf(definition).KeySchema,
    AttributeDefinitions: [...attributes.values()],
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes.map(indexOf) }),
  });
  try {
    await documents.send(command);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await migrateIndexes(documents, tableName, definition);
    return migrateTtl(documents, tableName, definition);
  }
  const { ttlAttribute } = definition;
  if (ttlAttribute !== undefined) await setTtl(documents, tableName, ttlAttribute, true);
};
