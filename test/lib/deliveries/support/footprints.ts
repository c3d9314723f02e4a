import { keyNamesOf, TABLES } from '../../../../infra/stage/tables.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import type { Call } from '../../../support/database/client-calls.ts';

type Values = Readonly<Record<string, unknown>>;

/** The items that a call reads or writes. */
export interface Footprint {
  /** Each is an item, a partition or a table. */
  readonly paths: readonly string[];
  readonly writes: boolean;
}

/** The name of a table without the prefix of the test's tables. */
const shortName = (tableName: string): string => tableName.replace(/^[0-9a-f-]{36}-/, '');

/** Such as `PutItem carts`. */
export const nameOf = ({ operation, input: { TableName } }: Call): string =>
  typeof TableName === 'string' ? `${operation} ${shortName(TableName)}` : operation;

const keyNamesOfTable = (tableName: string): readonly string[] =>
  TABLE_KINDS.filter((kind) => TABLES[kind].name === shortName(tableName)).flatMap(keyNamesOf);

/** The path of an item, by its key or all its attributes. */
const itemPath = (tableName: string, item: Values): string =>
  [tableName, ...keyNamesOfTable(tableName).map((name) => String(item[name])), ''].join('\t');

/** The path of the items that a query reads: a partition, or the whole table of an index. */
const queryPath = (tableName: string, { IndexName, KeyConditionExpression, ...input }: Values): string => {
  const [, placeholder = ''] = /^\S+ = (:\w+)/.exec(String(KeyConditionExpression)) ?? [];
  const partition = (
    input['ExpressionAttributeValues'] as Readonly<Record<string, string | number>> | undefined
  )?.[placeholder];
  return IndexName === undefined && partition !== undefined
    ? `${tableName}\t${partition}\t`
    : `${tableName}\t`;
};

/** A write of a transaction. */
type TransactItem = Readonly<
  Record<string, { readonly TableName: string; readonly Key?: Values; readonly Item?: Values }>
>;

const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/** The paths of a call. `undefined` for a call of another operation. */
const pathsOf = ({ operation, input }: Call): readonly string[] | undefined => {
  const { TableName, Key, Item, TransactItems, RequestItems } = input as {
    readonly TableName: string;
    readonly Key?: Values;
    readonly Item?: Values;
    readonly TransactItems?: readonly TransactItem[];
    readonly RequestItems?: Values;
  };
  if (operation === 'Query') return [queryPath(TableName, input)];
  if (operation === 'TransactWriteItems')
    return TransactItems?.flatMap((write) =>
      Object.values(write).map((each) => itemPath(each.TableName, each.Key ?? each.Item ?? {})),
    );
  if (RequestItems) return Object.keys(RequestItems).map((tableName) => `${tableName}\t`);
  const key = Key ?? Item;
  return key && [itemPath(TableName, key)];
};

/** The footprint of a call. `undefined` if it is unknown. A write whose condition fails counts as a write. */
export const footprintOf = (call: Call): Footprint | undefined => {
  const paths = pathsOf(call);
  return paths && { paths, writes: !READS.has(call.operation) };
};

/** Whether two calls have the same effects and results in either order: both only read, or they name different items. */
export const commute = (a: Footprint | undefined, b: Footprint | undefined): boolean => {
  if (!a || !b) return false;
  if (!a.writes && !b.writes) return true;
  return !a.paths.some((path) => b.paths.some((other) => path.startsWith(other) || other.startsWith(path)));
};
