import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A call of DynamoDB with the units that it consumed. */
export interface ConsumedUnits {
  /** DynamoDB's name of the operation. */
  readonly operation: string;
  /** The table's name, or empty for a call of several tables. */
  readonly table: string;
  /** Write units of a write, read units of a read. A failed condition consumes a unit too, which no response shows. */
  readonly units: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

interface Sent {
  readonly input: Readonly<Record<string, unknown>>;
}

const operationOf = (command: Sent): string => {
  const name = command.constructor.name.replace(/Command$/, '');
  if (name === 'TransactWrite') return 'TransactWriteItems';
  return name === 'Query' || name.endsWith('Item') ? name : `${name}Item`;
};

/** Records the units of each call that a client sends from now on, in the order of the responses. */
export const recordUnits = (documents: Pick<DynamoDBDocumentClient, 'send'>): ConsumedUnits[] => {
  const calls: ConsumedUnits[] = [];
  const send = documents.send.bind(documents) as (command: Sent, ...options: unknown[]) => Promise<object>;
  const recorded = async (command: Sent, ...options: unknown[]): Promise<object> => {
    const Command = command.constructor as new (input: object) => Sent;
    const input = { ...command.input, ReturnConsumedCapacity: 'TOTAL' satisfies ReturnConsumedCapacity };
    const output = await send(new Command(input), ...options);
    const { ConsumedCapacity } = output as { ConsumedCapacity?: Capacity | Capacity[] };
    // A transaction has one capacity for each table.
    const units = [ConsumedCapacity]
      .flat()
      .reduce((sum, each) => sum + (each?.CapacityUnits ?? Number.NaN), 0);
    const { TableName = '' } = command.input as { TableName?: string };
    calls.push({ operation: operationOf(command), table: TableName, units });
    return output;
  };
  Object.assign(documents, { send: recorded });
  return calls;
};
