import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import type { LeanDocuments } from '../../lib/aws/document-client.ts';
import type { Documents } from '../../lib/dynamodb.ts';

/** Scripts the results of a client's calls, by command. */
export const mockDocuments = (documents: Documents): AwsClientStub<DynamoDBDocumentClient> =>
  mockClient(documents as unknown as DynamoDBDocumentClient);

interface Schema {
  readonly schema: readonly [kind: number, namespace: string, operation: string];
}

type AnyCommand = (Schema | { readonly clientCommand: Schema }) & { readonly input: Input };
type Input = Readonly<Record<string, unknown>>;
type Output = Record<string, unknown>;
type Send = (command: AnyCommand, options?: object) => Promise<Output>;

/** A call of the database, with native values. */
export interface Call {
  /** Its name, such as `GetItem`. */
  readonly operation: string;
  readonly input: Input;
}

/** Runs a function around each later call of a client. It makes the call by `next`, with the same or another input. */
export const aroundCalls = (
  documents: Documents,
  around: (call: Call, next: (input: Input) => Promise<Output>) => Promise<Output>,
): void => {
  const client = documents as unknown as { send: Send };
  const send = client.send.bind(client);
  client.send = (command, options) => {
    const { schema } = 'clientCommand' in command ? command.clientCommand : command;
    const next = (input: Input): Promise<Output> =>
      send(Object.assign(Object.create(Object.getPrototypeOf(command)), command, { input }), options);
    return around({ operation: schema[2], input: command.input }, next);
  };
};

/** Runs a function with the input of each later call, and waits for it before the call is made. */
export const beforeCalls = (documents: Documents, see: (input: Input) => unknown): void =>
  aroundCalls(documents, async ({ input }, next) => {
    await see(input);
    return next(input);
  });

/** Counts the later requests of a client. Each attempt counts. */
export const countAttempts = ({ transport }: Pick<LeanDocuments, 'transport'>): (() => number) => {
  let attempts = 0;
  const send = transport.send.bind(transport);
  transport.send = (request, signal) => {
    attempts += 1;
    return send(request, signal);
  };
  return () => attempts;
};
