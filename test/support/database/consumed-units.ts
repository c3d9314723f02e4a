import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { aroundCalls } from './client-calls.ts';

/** A call of DynamoDB with the units that it consumed. */
export interface ConsumedUnits {
  /** Its name, such as `GetItem`. */
  readonly operation: string;
  /** The name of its table. Undefined if the call concerns several. */
  readonly table: string | undefined;
  /** The write units of a write, or the read units of a read. No response shows those of a failed condition. */
  readonly units: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

/** Whether an operation consumes write units. */
export const isWrite = ({ operation }: Pick<ConsumedUnits, 'operation'>): boolean =>
  /^(?:Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);

const tableOf = ({ TableName, RequestItems = {} }: Readonly<Record<string, unknown>>): string | undefined => {
  const [table, ...others] = Object.keys(RequestItems as object);
  return (TableName as string | undefined) ?? (others.length === 0 ? table : undefined);
};

/** Reports the units of each later call of a client. */
export const recordUnits = (documents: DocumentClient, record: (call: ConsumedUnits) => void): void =>
  aroundCalls(documents, async ({ operation, input }, next) => {
    const output = await next({ ...input, ReturnConsumedCapacity: 'TOTAL' satisfies ReturnConsumedCapacity });
    const { ConsumedCapacity } = output as { ConsumedCapacity?: Capacity | Capacity[] };
    // A transaction has one capacity for each table.
    const capacities = [ConsumedCapacity].flat();
    const units = capacities.reduce((sum, each) => sum + (each?.CapacityUnits ?? Number.NaN), 0);
    record({ operation, table: tableOf(input), units });
    return output;
  });
