import { TransactionInProgressException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import type { DocumentClient } from '../../../lib/database/documents.ts';

/** Scripts the results of a client's calls, by command. */
export const mockDocuments = (documents: DocumentClient): AwsClientStub<DynamoDBDocumentClient> =>
  mockClient(documents as DynamoDBDocumentClient);

type Input = Readonly<Record<string, unknown>>;
type Output = Record<string, unknown>;

/** A call of the database. The input of a document command has native values. */
export interface Call {
  /** Its name, such as `GetItem`. */
  readonly operation: string;
  readonly input: Input;
}

interface NamedTable {
  readonly TableName: string;
}

/** The names of the tables that a call concerns. */
export const tablesOf = (input: Input): readonly string[] => {
  const { TableName, RequestItems, TransactItems } = input as Partial<NamedTable> & {
    readonly RequestItems?: object;
    readonly TransactItems?: readonly Readonly<Record<string, NamedTable>>[];
  };
  if (TableName !== undefined) return [TableName];
  if (RequestItems) return Object.keys(RequestItems);
  return (TransactItems ?? []).flatMap((each) => Object.values(each).map((item) => item.TableName));
};

/** Runs a function around each later call of a client. It makes the call by `next`, with the same or another input. */
export const aroundCalls = (
  documents: DocumentClient,
  around: (call: Call, next: (input: Input) => Promise<Output>) => Promise<Output>,
): void =>
  (documents as DynamoDBDocumentClient).middlewareStack.add((next, { commandName = '' }) => async (args) => {
    let response: unknown;
    const call = { operation: commandName.replace(/Command$/, ''), input: args.input as unknown as Input };
    const output = await around(call, async (input) => {
      const result = await next({ ...args, input });
      ({ response } = result);
      return result.output as unknown as Output;
    });
    return { output: output as never, response };
  });

/** Runs a function with the input of each later call, and waits for it before the call is made. */
export const beforeCalls = (documents: DocumentClient, see: (input: Input) => unknown): void =>
  aroundCalls(documents, async ({ input }, next) => {
    await see(input);
    return next(input);
  });

/**
 * Makes the indexes of a client late. While `isLate` is `true`, a query of an index returns its result of before, or nothing. The
 * embedded DynamoDB is never late.
 */
export const lagIndexes = (documents: DocumentClient): { isLate: boolean } => {
  const index = { isLate: true };
  const seen = new Map<string, Output>();
  aroundCalls(documents, async ({ operation, input }, next) => {
    if (operation !== 'Query' || input['IndexName'] === undefined) return next(input);
    const { ':timer': timer } = input['ExpressionAttributeValues'] as Input;
    const name = `${String(input['TableName'])} ${String(timer)}`;
    if (!index.isLate) seen.set(name, await next(input));
    return seen.get(name) ?? { Items: [] };
  });
  return index;
};

/** Another transaction writes the item of a write. The embedded DynamoDB has no conflicts. */
export const newConflict = (): Error =>
  Object.assign(new Error('conflict'), { name: 'TransactionConflictException', $fault: 'client' });

/** Rejects the first calls of an operation with conflicts. */
export const conflictFirst = (documents: DocumentClient, operation: string, times: number): void => {
  let left = times;
  aroundCalls(documents, (call, next) => {
    if (call.operation !== operation || left === 0) return next(call.input);
    left -= 1;
    return Promise.reject(newConflict());
  });
};

/**
 * Stores the first transaction of a client, and rejects its call: the SDK has repeated the call after a timeout, while its first
 * attempt still ran.
 */
export const overlapFirstTransaction = (documents: DocumentClient): void => {
  let isFirst = true;
  aroundCalls(documents, async ({ operation, input }, next) => {
    const output = await next(input);
    if (operation !== 'TransactWriteItems' || !isFirst) return output;
    isFirst = false;
    throw new TransactionInProgressException({ message: '', $metadata: {} });
  });
};

type Handler = DynamoDBDocumentClient['config']['requestHandler'];

/** Runs a function around each later request of a client. Each attempt of a call is a request. */
export const aroundRequests = (
  { config }: Pick<DynamoDBDocumentClient, 'config'>,
  around: (
    request: Parameters<Handler['handle']>[0],
    send: () => ReturnType<Handler['handle']>,
  ) => ReturnType<Handler['handle']>,
): void => {
  const { requestHandler } = config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) => around(request, () => handle(request, options));
};

/** Counts the later requests of a client. */
export const countRequests = (documents: Pick<DynamoDBDocumentClient, 'config'>): (() => number) => {
  let requests = 0;
  aroundRequests(documents, (_, send) => {
    requests += 1;
    return send();
  });
  return () => requests;
};
