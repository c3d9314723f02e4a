import type { Examples } from '../../functions/operation-contract.ts';
import { SANDBOX_CHECKOUT_PATH } from '../../functions/operations.ts';
import { DEMO_STORES, FIRST_CART } from '../local-access/demo-stores.ts';
import { contractDocument } from './document.ts';
import type { Json } from './json-schema.ts';

/** The variables of the collection. The key works in test mode of local stages only, and is not a secret. */
const VARIABLES = {
  baseUrl: 'http://127.0.0.1:3000',
  apiKey: DEMO_STORES[0].apiKey,
  productDocumentId: FIRST_CART.productDocumentId,
  // Only a local stage sends webhooks to this machine. Nothing needs to listen there.
  webhookUrl: 'http://127.0.0.1:8080/hook',
  cartId: '',
  endpointId: '',
  deliveryId: '',
} as const;

interface Content {
  readonly 'application/json': { readonly examples: Examples };
}

interface Response {
  readonly description: string;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: { readonly examples?: readonly string[] };
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

/** The lines of each request's script after the check of the status. They check the body, and store the ids of later requests. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  createCartCheckout: ["pm.collectionVariables.set('cartId', pm.response.json().cart.id);"],
  createWebhookEndpoint: ["pm.collectionVariables.set('endpointId', pm.response.json().webhookEndpoint.id);"],
  testWebhookEndpoint: ["pm.collectionVariables.set('deliveryId', pm.response.json().deliveryId);"],
  getCart: [
    "pm.test('It is the created cart', function () {",
    "  pm.expect(pm.response.json().id).to.equal(pm.collectionVariables.get('cartId'));",
    '});',
  ],
};

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

const scriptOf = (exec: readonly string[]): Json => ({
  listen: 'test',
  script: { type: 'text/javascript', exec },
});

/** The statuses of a run, besides the success: the cart is paid by then, and the delivery may not have begun. */
const OTHER_STATUSES: Readonly<Record<string, number>> = { expireCart: 409, resendWebhookDelivery: 404 };

/** The operations that end a cart or an endpoint. */
const ENDING: ReadonlySet<string> = new Set(['expireCart', 'deleteWebhookEndpoint']);

const statusCheck = (statuses: readonly number[]): readonly string[] => [
  `pm.test('The status is ${statuses.join(' or ')}', function () {`,
  `  pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]);`,
  '});',
];

/** A path of the contract with the collection's variables: `{cartId}` becomes `{{cartId}}`. */
const urlOf = (path: string, query: readonly Json[] = []): Json => {
  const segments = path
    .replaceAll(/\{(\w+)\}/g, '{{$1}}')
    .split('/')
    .slice(1);
  return {
    raw: ['{{baseUrl}}', ...segments].join('/'),
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 && { query }),
  };
};

/** The optional parameters at one place. They are disabled: a request sends only what its sender selects. */
const optionalAt = (place: string, { parameters }: Operation): readonly Json[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, description, schema }) => ({
      key: name,
      value: schema.examples?.[0] ?? '',
      description,
      disabled: true,
    }));

/** The fields of a body for which the collection has a variable. */
const BODY_VARIABLES: Readonly<Record<string, string>> = {
  productDocumentId: '{{productDocumentId}}',
  url: '{{webhookUrl}}',
};

/** The first example of the body, with the variables of the collection. */
const bodyOf = ({ requestBody }: Operation): Json => {
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  if (!example) return {};
  const value = Object.fromEntries(
    Object.entries(example.value as Json).map(([field, given]) => [field, BODY_VARIABLES[field] ?? given]),
  );
  return { body: { mode: 'raw', raw: jsonText(value), options: { raw: { language: 'json' } } } };
};

const requestOf = (path: string, method: string, operation: Operation): Json => {
  const body = bodyOf(operation);
  const contentType = 'body' in body ? [{ key: 'Content-Type', value: 'application/json' }] : [];
  return {
    method: method.toUpperCase(),
    header: [...contentType, ...optionalAt('header', operation)],
    ...body,
    url: urlOf(path, optionalAt('query', operation)),
    description: operation.description,
  };
};

const examplesOf = (operation: Operation, { components }: Document, originalRequest: Json): readonly Json[] =>
  Object.entries(operation.responses).flatMap(([status, reference]) => {
    const response =
      '$ref' in reference ? components.responses[reference.$ref.split('/').at(-1) ?? ''] : reference;
    return Object.values(response?.content?.['application/json'].examples ?? {}).map(
      ({ summary, value }) => ({
        name: `${status}: ${summary}`,
        originalRequest,
        code: Number(status),
        header: [{ key: 'Content-Type', value: 'application/json' }],
        _postman_previewlanguage: 'json',
        body: jsonText(value),
      }),
    );
  });

const itemOf = (path: string, method: string, operation: Operation, document: Document): Json => {
  const request = requestOf(path, method, operation);
  const { operationId } = operation;
  const success = Number(Object.keys(operation.responses)[0]);
  const other = OTHER_STATUSES[operationId];
  const statuses = other === undefined ? [success] : [success, other];
  return {
    name: operation.summary.replace(/\.$/, ''),
    event: [scriptOf([...statusCheck(statuses), ...(SCRIPTS[operationId] ?? [])])],
    request,
    response: examplesOf(operation, document, { ...request, header: [] }),
  };
};

/** The step between creation and retrieval. The contract has only merchants' requests, and this one is the buyer's. */
const PAYMENT: Json = {
  name: 'Pays the cart in the sandbox',
  // Postman resolves the relative address of the redirect wrongly. Bruno follows it to the page of the paid cart.
  protocolProfileBehavior: { followRedirects: false },
  event: [
    scriptOf([
      "pm.test('The sandbox accepts the payment', function () {",
      '  pm.expect(pm.response.code).to.be.oneOf([200, 303]);',
      '});',
    ]),
  ],
  request: {
    auth: { type: 'noauth' },
    method: 'POST',
    header: [],
    body: { mode: 'urlencoded', urlencoded: [{ key: 'action', value: 'pay' }] },
    url: urlOf(`${SANDBOX_CHECKOUT_PATH}/{cartId}`),
    description:
      'Test mode only. The buyer does this on the page at `redirectUrl`. Other values of `action`, such as `decline`, are in docs/integrate.md.',
  },
  response: [],
};

/**
 * The contract as a Postman collection 2.1, which Bruno, Insomnia and Hoppscotch import too. Its requests run in order:
 * create a cart, pay it in the sandbox, retrieve it, list the events. Requests that end a cart or an endpoint come last.
 */
export const contractCollection = (): Json => {
  const document = contractDocument() as unknown as Document;
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  const [creation, ...others] = [
    ...entries.filter(({ operation }) => !ENDING.has(operation.operationId)),
    ...entries.filter(({ operation }) => ENDING.has(operation.operationId)),
  ].map(({ path, method, operation }) => itemOf(path, method, operation, document));
  const { title, version, description } = document.info;
  return {
    info: {
      name: title,
      version,
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [creation, PAYMENT, ...others],
  };
};
