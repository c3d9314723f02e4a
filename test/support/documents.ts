import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import type { Documents } from '../../lib/core/documents.ts';

/** Scripts the results of a client's calls, by command. */
export const mockDocuments = (documents: Documents): AwsClientStub<DynamoDBDocumentClient> =>
  mockClient(documents as DynamoDBDocumentClient);

type Input = Readonly<Record<string, unknown>>;
type Output = Record<string, unknown>;

/** A call of the database. The input of a document command has native values. */
export interface Call {
  /** Its name, such as `GetItem`. */
  readonly operation: string;
  readonly input: Input;
}

/** Runs a function around each later call of a client. It makes the call by `next`, with the same or another input. */
export const aroundCalls = (
  documents: Documents,
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
export const beforeCalls = (documents: Documents, see: (input: Input) => unknown): void =>
  aroundCalls(documents, async ({ input }, next) => {
    await see(input);
    return next(input);
  });

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
