import { decorateServiceException } from '@smithy/core/client';
import type { TypeRegistry } from '@smithy/core/schema';
import type { TransportResponse } from './transport.ts';

/** The metadata of a call, as the SDK attaches it to each result and error. */
export interface CallMetadata {
  httpStatusCode?: number;
  requestId?: string | undefined;
  /** How often the request was sent. */
  attempts?: number;
  /** The pauses between the attempts, in milliseconds. */
  totalRetryDelay?: number;
  /** Whether the response corrected the clock, so that a retry may succeed. */
  clockSkewCorrected?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

type ExceptionClass = new (options: { readonly name: string }) => Error;

/** The SDK's exception classes of a service, by the names of its errors. */
export interface Exceptions {
  readonly byName: ReadonlyMap<string, ExceptionClass>;
  /** The same by the codes of the service's earlier protocol, if it sends them. Only SQS does. */
  readonly byQueryCode?: ReadonlyMap<string, ExceptionClass>;
  /** The class of all other errors. */
  readonly base: ExceptionClass;
}

const headerOf = ({ headers }: TransportResponse, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** The headers in which the services of AWS send the request id. DynamoDB uses the first one. */
const REQUEST_ID_HEADERS = ['x-amzn-requestid', 'x-amzn-request-id', 'x-amz-request-id'] as const;

/** The metadata of one response. The client adds the attempts and the delay. */
export const metadataOf = (response: TransportResponse): CallMetadata => ({
  httpStatusCode: response.statusCode,
  requestId: REQUEST_ID_HEADERS.map((name) => headerOf(response, name)).find((id) => id !== undefined),
});

/** The schema of an error: a shape, its namespace and name, and its traits. */
type ErrorSchema = readonly [shape: -3, namespace: string, name: string, traits: unknown];

const ERROR_SHAPE = -3;

/**
 * Reads the exception classes that a package of the SDK registers for its service.
 *
 * @param registries its `errorTypeRegistries`
 * @param options.hasQueryCodes whether the service sends the codes of its earlier protocol
 */
export const readExceptions = (
  registries: readonly TypeRegistry[],
  { hasQueryCodes = false } = {},
): Exceptions => {
  const byName = new Map<string, ExceptionClass>();
  const byQueryCode = new Map<string, ExceptionClass>();
  let base: ExceptionClass = Error as never;
  for (const registry of registries) {
    registry.find((schema) => {
      if (!Array.isArray(schema) || schema[0] !== ERROR_SHAPE) return false;
      const [, namespace, name, traits] = schema as unknown as ErrorSchema;
      const exceptionClass = registry.getErrorCtor(schema as never) as ExceptionClass;
      if (namespace.startsWith('smithy.ts.sdk.synthetic.')) base = exceptionClass;
      else byName.set(name, exceptionClass);
      const { awsQueryError } = traits as { readonly awsQueryError?: readonly [string] };
      if (awsQueryError) byQueryCode.set(awsQueryError[0], exceptionClass);
      return false;
    });
  }
  return { byName, base, ...(hasQueryCodes && { byQueryCode }) };
};

/** `name` in a code such as `com.amazonaws.dynamodb.v20120810#name:http://internal.amazon.com/`. */
const nameIn = (code: unknown): string => {
  const [text = ''] = String(code).split(/[,:]/, 1);
  return text.includes('#') ? (text.split('#')[1] ?? '') : text;
};

const errorName = (response: TransportResponse, fields: Fields): string => {
  const code = fields['__type'] ?? fields['code'] ?? fields['Code'];
  return nameIn(code ?? headerOf(response, 'x-amzn-errortype') ?? 'Unknown');
};

/** The SDK's exception for a response with an error status. It has all fields of the response's JSON. */
export const serviceError = (
  response: TransportResponse,
  fields: Fields,
  { byName, byQueryCode, base }: Exceptions,
): Error => {
  // The header is a code and its sender, such as `AWS.SimpleQueueService.NonExistentQueue;Sender`.
  const [queryCode] = byQueryCode ? (headerOf(response, 'x-amzn-query-error')?.split(';', 1) ?? []) : [];
  const name = queryCode ?? errorName(response, fields);
  const exceptionClass = byQueryCode?.get(name) ?? byName.get(name);
  const error = exceptionClass ? new exceptionClass({ name: '' }) : new base({ name });
  Object.assign(error, {
    ...(!exceptionClass && { $fault: response.statusCode < 500 ? 'client' : 'server' }),
    message: fields['message'] ?? fields['Message'] ?? '',
    $metadata: metadataOf(response),
  });
  // The fields of the response replace none that the error has, such as `name`.
  return decorateServiceException(error as never, fields);
};
