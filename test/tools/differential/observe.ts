import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isItemThrottle, isThrottle, isTransactionConflict, isUnavailable } from '../../../lib/dynamodb.ts';
import { describe, describeClasses, type Order } from './describe.ts';
import type { Step, WireTap } from './wire-tap.ts';
import type { WireRequest } from './wire-request.ts';

/** The interface of both clients. */
export type Documents = Pick<DynamoDBDocumentClient, 'send'>;

export type AnyCommand = Parameters<Documents['send']>[0];

/** One of the two clients, behind a tap of its own. */
export interface Side {
  readonly documents: Documents;
  readonly tap: WireTap;
  /** The beginning of its tables' names. Both sides' have the same length. */
  readonly prefix: string;
}

/** All that a caller and the database see of one call, by subject. Texts of both sides are comparable. */
export interface Observation {
  readonly seen: Readonly<Record<string, string>>;
  readonly requests: readonly WireRequest[];
  /** The error's name. `undefined` if the call succeeded. */
  readonly errorName: string | undefined;
}

export interface Scripted {
  readonly command: AnyCommand;
  readonly plan: (abort: () => void) => readonly Step[];
  /** The reason of an abort. */
  readonly abortReason?: unknown;
  readonly abortsBefore?: boolean;
}

/** A longer delay is one that the server asked for. It depends on the clock. */
const OWN_DELAY_MAX_MS = 50;

interface Metadata {
  readonly totalRetryDelay?: number;
  readonly extendedRequestId?: string;
  readonly cfId?: string;
}

const describeMetadata = (of: 'output' | 'error', metadata: Metadata | undefined): Record<string, string> => {
  if (metadata === undefined) return {};
  const { totalRetryDelay, extendedRequestId, cfId, ...fields } = metadata;
  const delayMs = totalRetryDelay ?? 0;
  const delay = delayMs > OWN_DELAY_MAX_MS ? `some ${Math.round(delayMs / 100) * 100}` : totalRetryDelay;
  return {
    [`${of}.$metadata`]: `${describe(fields)}, delay ${delay}`,
    '$metadata of other services': `${'cfId' in metadata ? 'present' : 'absent'} ${extendedRequestId} ${cfId}`,
  };
};

/** A sentence that the SDK adds to the message of an error of `JSON.parse`. */
const HINT =
  /\\n {2}Deserialization error: to see the raw response, inspect the hidden field \{error\}\.\$response on this object\./;

/**
 * The fields of an error, hidden ones included. The stack always differs. The SDK orders the fields in them by its schema,
 * the lean client as in the response.
 */
const describeError = (error: Error): Record<string, string> => {
  const { $metadata } = error as { readonly $metadata?: Metadata };
  const names = Object.getOwnPropertyNames(error).filter(
    (name) => !['stack', '$metadata', 'name'].includes(name),
  );
  const fields = names.map((name) => {
    const { enumerable, value } = Object.getOwnPropertyDescriptor(error, name) ?? {};
    const text = name === '$response' ? 'a response' : describe(value, 'sorted').replace(HINT, '');
    return [`error.${name}`, enumerable === true ? text : `(hidden) ${text}`] as const;
  });
  return {
    'error.class': describeClasses(error),
    'error.name': error.name,
    'hint at the raw response': String(HINT.test(describe(error.message))),
    ...describeMetadata('error', $metadata),
    ...Object.fromEntries(fields),
  };
};

const describeOutput = (output: object, order: Order): Record<string, string> => {
  const { $metadata, ...fields } = output as { readonly $metadata?: Metadata };
  return { output: describe(fields, order), ...describeMetadata('output', $metadata) };
};

const verdictsOn = (error: unknown): string =>
  [isUnavailable, isThrottle, isItemThrottle, isTransactionConflict]
    .filter((verdict) => verdict(error))
    .map(({ name }) => name)
    .join(', ');

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const describeOutcome = (outcome: PromiseSettledResult<object>, order: Order): Record<string, string> => {
  if (outcome.status === 'fulfilled') return describeOutput(outcome.value, order);
  const error: unknown = outcome.reason;
  return error instanceof Error
    ? { ...describeError(error), verdicts: verdictsOn(error) }
    : { 'error.class': `no error: ${describe(error)}` };
};

/** Replaces what must differ between the sides: ports, names of tables, and ids of responses. */
const comparable = (text: string, { tap, prefix }: Side, requestIds: readonly string[]): string => {
  let result = text.replaceAll(`127.0.0.1:${tap.port}`, 'ENDPOINT').replaceAll(prefix, 'PREFIX');
  for (const id of requestIds) result = result.replaceAll(id, 'REQUEST-ID');
  // The embedded database repeats a transaction that is too long, with the attributes in random order.
  return result
    .replaceAll(`"port": ${tap.port}`, '"port": PORT')
    .replaceAll(/Value '\[\[Transact.*' at /gs, 'Value TRANSACTION at ');
};

/** Makes a call on one side. */
export const observe = async (side: Side, scripted: Scripted): Promise<Observation> => {
  const { command, plan, abortReason, abortsBefore } = scripted;
  const controller = new AbortController();
  const abort = (): void => controller.abort(abortReason);
  const inputBefore = describe(command.input);
  side.tap.begin(plan(abort));
  if (abortsBefore === true) abort();
  const sent = side.documents.send(command, { abortSignal: controller.signal });
  const [outcome] = await Promise.allSettled([sent]);
  const { requests, requestIds } = await side.tap.end();
  // An emulator sends attributes in a random order.
  const seen = describeOutcome(outcome, requestIds.length > 0 ? 'sorted' : 'as it is');
  const errorName = outcome.status === 'rejected' ? nameOf(outcome.reason) : undefined;
  const inputAfter = describe(command.input);
  if (inputAfter !== inputBefore) seen['input after the call'] = inputAfter;
  const texts = Object.entries(seen).map(
    ([subject, text]) => [subject, comparable(text, side, requestIds)] as const,
  );
  return { seen: Object.fromEntries(texts), requests, errorName };
};

/** The body of a request without what must differ between the sides. */
export const comparableBody = (side: Side, { body }: WireRequest): string =>
  comparable(body.toString('latin1'), side, []).replaceAll(
    /"ClientRequestToken":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/g,
    '"ClientRequestToken":"UUID"',
  );

export const comparableHeader = (side: Side, text: string): string => comparable(text, side, []);
