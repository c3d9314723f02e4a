import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Clock } from '../../lib/core/clock.ts';
import type { Authenticator } from '../../lib/api-keys/authenticator.ts';
import type { EventRepository } from '../../lib/events/event-repository.ts';
import type { AdmittedRequest } from '../../lib/http/admission.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { parseWith, type Parsed } from '../../lib/http/parse-input.ts';
import { apiOperation, type ProxyFunction } from '../../lib/http/pipeline.ts';
import type { CreateEndpointDependencies } from '../../lib/endpoints/create-endpoint.ts';
import type { DeliveryRepository } from '../../lib/deliveries/delivery-repository.ts';
import type { DeliveryQueue } from '../../lib/deliveries/delivery.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint-items.ts';
import type { EndpointRegistry } from '../../lib/endpoints/endpoint-registry.ts';
import type { EndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import type { EndpointUrlOptions } from '../../lib/endpoints/endpoint-url.ts';
import { OPERATIONS } from '../operations.ts';

export interface Dependencies extends CreateEndpointDependencies {
  readonly authenticator: Authenticator;
  readonly now: Clock;
  readonly endpoints: Pick<EndpointRepository, 'get' | 'listOf' | 'takeSend'>;
  readonly registry: EndpointRegistry;
  readonly deliveries: Pick<DeliveryRepository, 'find' | 'pageOf'>;
  readonly events: Pick<EventRepository, 'find'>;
  readonly queue: DeliveryQueue;
  /** The rules of this stage for addresses. */
  readonly urlOptions: EndpointUrlOptions;
}

export type Request<Input = unknown> = AdmittedRequest<Input, undefined>;

/** The input of an operation, as its schema reads it. */
export interface RawInput {
  /** The id of this API in API Gateway. The local stage has none. */
  readonly apiId: string | undefined;
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/** The path of an operation on one endpoint. */
export const endpointPath = z.object({ endpointId: z.string() });

/** Makes an operation of the function from its parts. */
export const defineOperation = <Input>(
  { authenticator, now }: Pick<Dependencies, 'authenticator' | 'now'>,
  body: 'json' | 'none',
  parse: (raw: RawInput) => Parsed<Input>,
  handle: (request: Request<Input>) => Promise<APIGatewayProxyResult>,
): ProxyFunction =>
  apiOperation({
    // The audit log has each change.
    operation: OPERATIONS.listWebhookEndpoints.countedAs,
    body,
    logsRoute: true,
    parse: ({ pathParameters, multiValueQueryStringParameters: query, headers, body: content, ...event }) =>
      parse({
        apiId: event.requestContext.apiId,
        path: pathParameters,
        query: query ?? {},
        headers,
        body: content,
      }),
    authenticator,
    now,
    // Every read needs the store of the key, so it waits for the authentication.
    handle,
  });

/** Parses the input of an operation without further rules. */
export const parseBy =
  <Schema extends z.ZodMiniType>(schema: Schema) =>
  (raw: RawInput): Parsed<z.output<Schema>> =>
    parseWith(schema, raw);

/** `generateEndpointId`. DynamoDB rejects a long key. */
const ENDPOINT_ID = /^we_[0-9A-Za-z]{1,64}$/;

/**
 * Reads the endpoint of a path.
 *
 * @throws ApiError, the same for an unknown endpoint and one of another store or mode
 */
export const requireEndpoint = async (
  endpointId: string,
  { apiKey: { storeId, mode }, signal }: Request,
  { endpoints }: Pick<Dependencies, 'endpoints'>,
): Promise<EndpointWithState> => {
  const endpoint = ENDPOINT_ID.test(endpointId)
    ? await endpoints.get({ storeId, mode, endpointId }, signal)
    : undefined;
  if (!endpoint) throw new ApiError('webhookEndpointNotFound');
  return endpoint;
};
