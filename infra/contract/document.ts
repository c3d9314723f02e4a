import { type Examples, type OperationContract, TAGS } from '../../functions/operation-contract.ts';
import { PUBLIC_OPERATIONS, type PublicOperation } from './contracts.ts';
import { errorResponses } from './errors.ts';
import { SUCCESS_HEADERS } from './headers.ts';
import { type Body, bodyOf, inlineSchema, type Json, schemaReference } from './json-schema.ts';
import { describeWebhooks } from './webhooks.ts';

const INFO: Json = {
  title: 'Cart Checkout API',
  version: '1.0.0',
  summary: 'Create carts and follow their payments.',
  description: [
    '1. Your server creates a cart for one product. The response contains the cart and a payment address, `redirectUrl`.',
    '2. Your server redirects the buyer to `redirectUrl` to pay. The buyer then returns to your `redirectURL`.',
    '3. Your server receives an event when the status changes, by a webhook or in the list of events. It can also retrieve the cart.',
    '',
    'Call the API from your server only: the API key is a secret. A key belongs to test mode or live mode, and so do its carts.',
    '',
    'Each API key has a rate limit. The body of every error contains `code` and `message`. Any other path or method returns 404 with the code `NOT_FOUND`.',
    '',
    'In test mode, an unknown field, parameter or header is a validation issue if its name is similar to that of an absent one, or is that of another API, such as `cursor`. Live mode ignores it. A field that is `null` counts as absent, except `eventTypes`.',
    '',
    'Within `/api/v1`, we add fields, headers and types, and never remove them. Ignore those that you do not know. Handle an unknown code by its HTTP status.',
  ].join('\n'),
  contact: { name: 'The platform team that issued your API key' },
  // The licence of this document, which merchants copy. It does not cover the service.
  license: { name: 'MIT No Attribution', identifier: 'MIT-0' },
};

const serversOf = (baseUrl: string | undefined): readonly Json[] =>
  // A URL with a variable has no usable default in generated clients.
  baseUrl === undefined
    ? [
        {
          url: 'http://127.0.0.1:3000',
          description: 'The local stage',
        },
      ]
    : [{ url: baseUrl }];

const parametersOf = ({ parameters = [] }: OperationContract): readonly Json[] =>
  parameters.map(({ name, in: place, description, required = false, schema }) => ({
    name,
    in: place,
    required: required || place === 'path',
    description,
    schema: inlineSchema(schema),
  }));

const contentOf = ({ name }: Body, examples: Examples): Json => ({
  'application/json': { schema: schemaReference(name), examples },
});

const requestOf = ({ operationId, request }: PublicOperation) => {
  if (!request) return { part: {}, schemas: {} };
  const { schema, description, fields, examples } = request;
  const body = bodyOf(schema, `the request of ${operationId}`, fields);
  const requestBody = { required: true, description, content: contentOf(body, examples) };
  return { part: { requestBody }, schemas: body.components };
};

const successOf = ({ operationId, response, notModified }: PublicOperation) => {
  const { status, description, schema, examples, headers = {}, links } = response;
  const body = bodyOf(schema, `the response of ${operationId}`);
  const own = Object.entries(headers).map(([name, header]) => [
    name,
    { required: false, ...header, schema: inlineSchema(header.schema) },
  ]);
  const allHeaders = { ...SUCCESS_HEADERS, ...(Object.fromEntries(own) as Json) };
  const content = contentOf(body, examples);
  const success = { description, headers: allHeaders, content, ...(links && { links }) };
  const without = notModified === undefined ? {} : { 304: { description: notModified, headers: allHeaders } };
  return { part: { [status]: success, ...without }, schemas: body.components };
};

/** Describes an operation, and the components that it needs. */
const describe = (operation: PublicOperation) => {
  const { operationId, tag, summary, description } = operation;
  const request = requestOf(operation);
  const success = successOf(operation);
  const errors = errorResponses(operation);
  return {
    operation: {
      operationId,
      tags: [tag],
      summary,
      description,
      parameters: parametersOf(operation),
      ...request.part,
      responses: { ...success.part, ...errors.references },
    },
    schemas: { ...request.schemas, ...success.schemas, ...errors.schemas },
    responses: errors.responses,
  };
};

/**
 * Joins the components of all operations.
 *
 * @throws Error if two different components have the same name
 */
const join = (parts: readonly Json[]): Json => {
  const joined: Record<string, unknown> = {};
  for (const [name, component] of parts.flatMap(Object.entries<unknown>)) {
    joined[name] ??= component;
    if (JSON.stringify(joined[name]) !== JSON.stringify(component)) {
      throw new Error(`Two components of the contract are named ${name}: rename one of them`);
    }
  }
  return joined;
};

/**
 * The public contract: an OpenAPI 3.1 document of the operations that merchants call.
 *
 * @param baseUrl the address of the stage that serves the document, if there is one
 */
export const contractDocument = (baseUrl?: string, operations = PUBLIC_OPERATIONS): Json => {
  const described = operations.map((operation) => ({ ...operation, ...describe(operation) }));
  const events = describeWebhooks();
  const paths: Record<string, Record<string, Json>> = {};
  for (const { path, method, operation } of described) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: serversOf(baseUrl),
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: events.webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'Send the API key of your store: `Authorization: Bearer <API_KEY>`.',
        },
      },
      schemas: join([...described.map(({ schemas }) => schemas), events.schemas]),
      responses: join(described.map(({ responses }) => responses)),
    },
  };
};
