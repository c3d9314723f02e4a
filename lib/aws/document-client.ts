import { randomUUID } from 'node:crypto';
import { errorTypeRegistries } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TrueClock } from '../core/true-clock.ts';
import { type Fields, type KeyNodes, marshallInput, unmarshallOutput } from './document-values.ts';
import {
  type ClientConfig,
  type Command,
  type Defaults,
  JsonClient,
  type Output,
  type SendOptions,
  type Service,
} from './json-client.ts';
import { readExceptions } from './service-errors.ts';

/** The interface of the stores to DynamoDB: a document client of the SDK, or the lean one. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/** The lean document client. */
export type LeanDocuments = Documents & Pick<JsonClient, 'transport' | 'connect' | 'destroy'>;

/** A document command of the SDK. It wraps a command whose values are attribute values. */
interface DocumentCommand extends Omit<Command, 'schema'> {
  readonly clientCommand?: Pick<Command, 'schema'>;
  readonly inputKeyNodes?: KeyNodes;
  readonly outputKeyNodes?: KeyNodes;
}

const SERVICE: Service = {
  id: 'DYNAMODB',
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  version: '1.0',
  exceptions: readExceptions(errorTypeRegistries),
};

/** Makes a transaction idempotent, as the SDK does: DynamoDB executes all attempts with the same token once. */
const withToken = (operation: string, input: Fields): Fields =>
  operation === 'TransactWriteItems'
    ? { ...input, ClientRequestToken: input['ClientRequestToken'] ?? randomUUID() }
    : input;

/** The lean document client. It also accepts the commands of `client-dynamodb`, whose values are attribute values. */
class DocumentClient extends JsonClient {
  override async send(command: Command, { abortSignal }: SendOptions = {}): Promise<Output> {
    const { input, clientCommand, inputKeyNodes = {}, outputKeyNodes = {} } = command as DocumentCommand;
    const [, , operation] = (clientCommand ?? command).schema;
    const marshalled = withToken(operation, clientCommand ? marshallInput(input, inputKeyNodes) : input);
    const output = await this.call(operation, marshalled, abortSignal);
    if (!clientCommand) return output;
    try {
      return unmarshallOutput(output, outputKeyNodes);
    } catch (error) {
      const { attempts, totalRetryDelay } = output.$metadata;
      throw Object.assign(error as Error, { $metadata: { attempts, totalRetryDelay } });
    }
  }
}

/**
 * Creates a lean document client, in place of the SDK's `DynamoDBDocumentClient`.
 *
 * @param clock a clock that the responses of DynamoDB correct
 */
export const createLeanDocumentClient = (
  config: ClientConfig,
  defaults: Defaults,
  clock?: TrueClock,
): LeanDocuments => new DocumentClient(SERVICE, config, defaults, clock) as unknown as LeanDocuments;
