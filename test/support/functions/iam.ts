import type { Permission } from '../../../infra/stack/database/permissions.ts';
import { type TableDefinition, TABLES } from '../../../infra/stage/tables.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';

/** One read or write of DynamoDB, as IAM checks it: each write of a transaction and each item of a batch by itself. */
export interface ItemCall {
  readonly table: TableKind;
  readonly action: string;
  readonly index?: string | undefined;
  /** Absent in a query of an index. */
  readonly partitionKey?: string | undefined;
  /** The attributes that an update names, or those of the item that is put. */
  readonly attributes: readonly string[];
}

type Names = Readonly<Record<string, string>>;
/** Values of the document client, or of DynamoDB. */
type Values = Readonly<Record<string, string | { readonly S?: string } | undefined>>;

interface ItemInput {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Values;
  readonly Item?: Values;
  readonly KeyConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Names;
  readonly ExpressionAttributeValues?: Values;
}

interface BatchPut {
  readonly PutRequest: { readonly Item: Values };
}

/** The input of a call. */
export interface CallInput extends Partial<ItemInput> {
  /** Only of a batch: the keys that it reads, or the items that it puts. */
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly Values[] } | readonly BatchPut[]>
  >;
  readonly TransactItems?: readonly Readonly<Record<string, ItemInput>>[];
}

const TRANSACTION_ACTIONS: Names = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** The actions of which a permission limits the attributes. */
const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem']);

const KEYWORDS =
  /^(?:SET|REMOVE|ADD|AND|OR|NOT|attribute_exists|attribute_not_exists|if_not_exists|list_append|size)$/;

/** The top-level attributes in an expression: neither placeholders of values nor attributes behind a dot. */
const namesIn = (expression: string, names: Names = {}): string[] =>
  (expression.match(/(?<![:.#\w])#?[A-Za-z]\w*/g) ?? [])
    .filter((word) => !KEYWORDS.test(word))
    .map((word) => names[word] ?? word);

const textOf = (value: Values[string]): string | undefined => (typeof value === 'string' ? value : value?.S);

/** The key that a query names, if its expression begins with the partition key. */
const queriedKey = ({ KeyConditionExpression = '', ...input }: ItemInput, keyName: string) => {
  const [, name = '', value = ''] = /^(#?\w+) = (:\w+)/.exec(KeyConditionExpression) ?? [];
  const isKey = (input.ExpressionAttributeNames?.[name] ?? name) === keyName;
  return isKey ? textOf(input.ExpressionAttributeValues?.[value]) : undefined;
};

const itemCall = (
  action: string,
  input: ItemInput,
  tableNames: Readonly<Record<TableKind, string>>,
): ItemCall => {
  const table = TABLE_KINDS.find((kind) => tableNames[kind] === input.TableName);
  if (table === undefined) throw new Error(`The stage has no table ${input.TableName}`);
  const { partitionKey: keyName }: TableDefinition = TABLES[table];
  const { Key, Item, UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames } = input;
  return {
    table,
    action,
    index: input.IndexName,
    partitionKey: textOf((Key ?? Item)?.[keyName]) ?? queriedKey(input, keyName),
    attributes: WRITES.has(action)
      ? [
          ...Object.entries(Key ?? Item ?? {}).flatMap(([name, value]) => (value === undefined ? [] : name)),
          ...namesIn(`${UpdateExpression} ${ConditionExpression}`, ExpressionAttributeNames),
        ]
      : [],
  };
};

/**
 * The reads and writes of a call of DynamoDB.
 *
 * @param operation such as `PutItem`
 */
export const itemCallsOf = (
  operation: string,
  { RequestItems = {}, TransactItems = [], ...input }: CallInput,
  tableNames: Readonly<Record<TableKind, string>>,
): ItemCall[] => [
  ...TransactItems.flatMap((part) => Object.entries(part)).map(([kind, item]) =>
    itemCall(TRANSACTION_ACTIONS[kind] ?? kind, item, tableNames),
  ),
  ...Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    ('Keys' in requests
      ? requests.Keys.map((Key) => ({ TableName, Key }))
      : requests.map(({ PutRequest: { Item } }) => ({ TableName, Item }))
    ).map((each) => itemCall(operation, each, tableNames)),
  ),
  ...(input.TableName === undefined ? [] : [itemCall(operation, input as ItemInput, tableNames)]),
];

/** Whether a text matches a pattern of `StringLike`: `*` is any text, `?` one character. */
export const isLike = (text: string, pattern: string): boolean => {
  const source = pattern.replaceAll(/[.#$()+]/g, String.raw`\$&`);
  return new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
};

/** Whether the statement of a permission allows a call. */
export const allows = (permission: Permission, call: ItemCall): boolean => {
  const { table, action, index, attributes, partitionKeys } = permission;
  if (table !== call.table || action !== call.action || index !== call.index) return false;
  // `ForAllValues`, and `Null: false`.
  const isNamed = call.attributes.length > 0 && call.attributes.every((name) => attributes?.includes(name));
  if (attributes && !isNamed) return false;
  return partitionKeys === undefined || isLike(call.partitionKey ?? '', partitionKeys);
};
