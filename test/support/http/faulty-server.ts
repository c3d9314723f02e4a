import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { onTestFinished } from 'vitest';
import { localClientConfig } from '../../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { isHotKeyThrottle, isRetryable, isThrottle, isUnavailable } from '../../../lib/aws/errors.ts';

export type Respond = (response: ServerResponse, body: string) => unknown;

/** A service of AWS that responds as given, and counts its calls. */
export const givenServer = async (respond: Respond) => {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    void text(request).then((body) => respond(response, body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { calls: () => calls, endpoint, config: localClientConfig(endpoint) };
};

/** Responds with the JSON of an error. */
export const json =
  (status: number, type: string, fields: object = {}): Respond =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: type, message: 'not for clients', ...fields }));

/** Responds with an error of DynamoDB. */
export const dynamodbError = (status: number, name: string, fields?: object): Respond =>
  json(status, `com.amazonaws.dynamodb.v20120810#${name}`, fields);

/** The kind of an error, as `lib/aws/errors.ts` classifies it. */
const kindOf = (error: unknown): string => {
  if (isHotKeyThrottle(error)) return 'hot key throttle';
  if (isThrottle(error)) return 'throttle';
  if (isUnavailable(error)) return 'outage';
  return isRetryable(error) ? 'setup' : 'defect';
};

/** The kind of the error of a call, or `success`. */
export const failureOf = (call: Promise<unknown>): Promise<string> => call.then(() => 'success', kindOf);

export const ONE_ATTEMPT = { retryStrategy: new StandardRetryStrategy(1) };

/** Reads an item. */
export const get = () => new GetCommand({ TableName: 'carts', Key: { id: 'x' } });

/** The failure of a read. */
export const readFrom = (
  config: Parameters<typeof createDocumentClient>[0],
  abortSignal?: AbortSignal,
): Promise<string> =>
  failureOf(createDocumentClient(config).send(get(), { ...(abortSignal && { abortSignal }) }));

/** Sends a part of a response. */
export const begin = (response: ServerResponse, onSent = () => {}) =>
  response.writeHead(200, { 'Content-Length': 9 }).write('{', onSent);
