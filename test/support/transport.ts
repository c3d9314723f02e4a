import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { ClientConfig } from '../../lib/aws/json-client.ts';
import type { TransportRequest, TransportResponse } from '../../lib/aws/transport.ts';
import { createDocumentClient } from '../../lib/dynamodb.ts';

type Responses = readonly (Partial<TransportResponse> | Error)[];

/** A transport that gives these responses, one after the other and the last one forever. */
export const givenTransport = (...responses: Responses) => {
  const requests: TransportRequest[] = [];
  const transport = {
    send: async (request: TransportRequest): Promise<TransportResponse> => {
      requests.push(request);
      const response = responses[Math.min(requests.length, responses.length) - 1];
      if (response instanceof Error) throw response;
      return { statusCode: 200, headers: {}, body: '{}', ...response };
    },
    close: () => undefined,
  };
  const headersOf = (index: number): Record<string, string> => {
    const { headers = [] } = requests[index] ?? {};
    return Object.fromEntries(
      Array.from({ length: headers.length / 2 }, (_, pair) => headers.slice(pair * 2, pair * 2 + 2)),
    ) as Record<string, string>;
  };
  return { requests, transport, headersOf };
};

/** The configuration of a client that never opens a connection. */
export const CONFIG = {
  endpoint: 'http://127.0.0.1:1',
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret' },
} as const satisfies ClientConfig;

/** A document client, its requests, and the error of a read with it. */
export const givenDocuments = (...responses: Responses) => {
  const given = givenTransport(...responses);
  const documents = createDocumentClient({ ...CONFIG, transport: given.transport });
  const failure = (): Promise<Error & Record<string, unknown>> =>
    documents.send(new GetCommand({ TableName: 't', Key: { id: 'x' } })).then(
      () => expect.unreachable(),
      (error: Error & Record<string, unknown>) => error,
    );
  return { ...given, documents, failure };
};

/** The response to a rejected call: an error of this type. */
export const rejection = (
  type: string,
  fields: object = {},
  statusCode = 400,
): Partial<TransportResponse> => ({
  statusCode,
  headers: { 'x-amzn-requestid': 'R1' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'why', ...fields }),
});
