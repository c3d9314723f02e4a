import { ROUTES } from '../../functions/operations.ts';
import { RESPONSES } from './responses.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { type Json, schemaReference } from './json-schema.ts';
import { createCartCheckoutRequest, PARAMETERS } from './request-schemas.ts';
import { RESPONSE_SCHEMAS } from './response-schemas.ts';

const INFO: Json = {
  title: 'Cart Checkout API',
  version: '1.0.0',
  summary: 'The service is a public HTTP API of an online store platform.',
  description: [
    "1. A client creates a cart for one store product, giving the buyer's identity. The service returns the cart and a payment address (`redirectUrl`) at `{checkout_url}`. The buyer is redirected there to pay.",
    '2. A client retrieves an existing cart by its identifier in order to check its status.',
    '3. For a product configured with free pricing, the buyer chooses the amount, sent as `customerPrice`.',
    '',
    "Requests are rate limited. The body of every error is an ErrorResponse with `code` and `message`. An address or a method that is none of the operations' is answered 404 with the code `NOT_FOUND`. Within `/api/v1` changes only add: clients take no offence at fields, headers and codes that they do not know.",
    '',
    'What is marked `x-extension` is not in the original document. `x-answered-by` tells who gives an error: the `service`, the `gateway` before it (which sends neither rate-limit headers nor `Cache-Control`), or `either`.',
  ].join('\n'),
};

/** Where the API is; the document's own placeholder unless the address is known. */
const serversOf = (baseUrl: string | undefined): readonly Json[] =>
  baseUrl === undefined
    ? [
        {
          url: '{base_url}',
          description: 'Any stage',
          variables: {
            base_url: {
              default: 'http://127.0.0.1:3000',
              description: "The address of the stage; the default is the local one's",
            },
          },
        },
      ]
    : [{ url: baseUrl }];

const OPERATIONS = {
  'create-cart-checkout': {
    operationId: 'createCartCheckout',
    tags: ['Carts'],
    summary: 'Creates a cart.',
    description:
      "Creates a cart for one store product. Refusals come in this order: 401, 429, 422, 400. Every authenticated request takes a token of the key's rate limit, valid or not.",
    parameters: PARAMETERS.createCartCheckout,
    requestBody: {
      required: true,
      description: 'At most 128 KiB.',
      content: {
        'application/json': {
          schema: schemaReference('CreateCartCheckoutRequest'),
          examples: REQUEST_EXAMPLES,
        },
      },
    },
    responses: RESPONSES.createCartCheckout,
  },
  'get-cart': {
    operationId: 'getCart',
    tags: ['Carts'],
    summary: 'Retrieves an existing cart to check its status.',
    description: 'Refusals come in this order: 401, 429, 404. A cart is found right after its creation.',
    parameters: PARAMETERS.getCart,
    responses: RESPONSES.getCart,
  },
} as const satisfies Readonly<Record<string, Json>>;

const isOperation = (name: string): name is keyof typeof OPERATIONS => name in OPERATIONS;

/** The operations at the addresses where the gateways have them; the sandbox page is none of the API. */
const paths = (): Json =>
  Object.fromEntries(
    ROUTES.flatMap(({ method, path, functionName }) =>
      isOperation(functionName) ? [[path, { [method.toLowerCase()]: OPERATIONS[functionName] }]] : [],
    ),
  );

/**
 * The machine-readable contract: an OpenAPI 3.1 document.
 *
 * @param baseUrl the address of the stage that serves it, if one does
 */
export const contractDocument = (baseUrl?: string): Json => ({
  openapi: '3.1.1',
  info: INFO,
  servers: serversOf(baseUrl),
  security: [{ apiKey: [] }],
  tags: [{ name: 'Carts', description: 'Create a cart for one product; retrieve it to check its status.' }],
  paths: paths(),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          "Every request carries the header `Authorization: Bearer <API_KEY>`. The scheme is HTTP bearer, the credential is the store's API key.",
      },
    },
    schemas: { CreateCartCheckoutRequest: createCartCheckoutRequest, ...RESPONSE_SCHEMAS },
  },
});
