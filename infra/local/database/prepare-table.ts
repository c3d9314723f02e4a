import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceInUseException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import type { IndexDefinition, SortKey, TableDefinition } from '../../stage/tables.ts';
import { OperatorError } from '../../terminal/operator-error.ts';

const ATTRIBUTE_TYPES = { string: 'S', number: 'N' } as const;

const attributesOf = ({ partitionKey, sortKey }: TableDefinition | IndexDefinition): readonly SortKey[] => [
  { name: partitionKey, type: 'string' },
  ...(sortKey ? [sortKey] : []),
];

const keySchemaOf = (definition: TableDefinition | IndexDefinition) =>
  attributesOf(definition).map(({ name }, index) => ({
    AttributeName: name,
    KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));

const tableInputOf = (tableName: string, definition: TableDefinition) => {
  const { indexes = [] } = definition;
  const attributes = new Map([definition, ...indexes].flatMap(attributesOf).map((each) => [each.name, each]));
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema: keySchemaOf(definition),
    AttributeDefinitions: [...attributes.values()].map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: ATTRIBUTE_TYPES[type],
    })),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchemaOf(index),
        Projection: { ProjectionType: index.hasAttributes ? ('ALL' as const) : ('KEYS_ONLY' as const) },
      })),
    }),
  };
};

/** The keys of a table and of its indexes, such as `id (S), index byStore: storeId (S), id (S)`. */
const keysText = ({
  KeySchema = [],
  AttributeDefinitions = [],
  GlobalSecondaryIndexes = [],
}: Pick<TableDescription, 'KeySchema' | 'AttributeDefinitions' | 'GlobalSecondaryIndexes'>): string => {
  const types = new Map(AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const keyText = (schema = KeySchema): string =>
    schema.map(({ AttributeName: name }) => `${name} (${types.get(name)})`).join(', ');
  const indexes = GlobalSecondaryIndexes.map(
    (index) => `index ${index.IndexName}: ${keyText(index.KeySchema)}`,
  );
  return [keyText(), ...indexes.toSorted()].join(', ');
};

/**
 * Creates a table. An existing one keeps its data.
 *
 * @throws OperatorError if the existing table or its indexes have other keys
 */
export const prepareTable = async (
  documents: DocumentClient,
  tableName: string,
  definition: TableDefinition,
): Promise<void> => {
  const input = tableInputOf(tableName, definition);
  try {
    await documents.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    const { Table = {} } = await documents.send(new DescribeTableCommand({ TableName: tableName }));
    if (keysText(Table) === keysText(input)) return;
    throw new OperatorError(
      `The table ${tableName} has the key ${keysText(Table)}, and this version needs ${keysText(input)}: ` +
        'keep that database with the version that made it, and choose another with --data FILE or --dynamodb URL.',
    );
  }
  const { ttlAttribute } = definition;
  if (ttlAttribute === undefined) return;
  const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
  await documents.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
};
