import * as z from 'zod/mini';
import { capitalised } from '../../lib/core/letter-case.ts';
import { API_ERRORS, type ApiErrorKind, cartNotFoundForKey } from '../../lib/http/errors.ts';
import type { InvalidField } from '../../lib/requests/invalid-field.ts';
import type { FieldsOf } from '../../lib/schemas/view-fields.ts';
import type { PublicOperation } from './contracts.ts';
import { gatewayErrorBody } from './gateway-error.ts';
import { errorHeaders, type SentBy } from './headers.ts';
import { type Body, bodyOf, type Json, schemaReference } from './json-schema.ts';

interface ErrorText {
  readonly sentBy: SentBy;
  readonly condition: string;
  /** The client's next step. It begins with Retry exactly if a repetition can succeed: `docs/integrate.md`, "5. Errors". */
  readonly remedy: string;
}

const sentBy =
  (sender: SentBy) =>
  (condition: string, remedy: string): ErrorText => ({ sentBy: sender, condition, remedy });

const service = sentBy('service');
const gateway = sentBy('gateway');
const either = sentBy('either');

/** The condition, the sender and the remedy of each error. */
export const ERRORS: Readonly<Record<ApiErrorKind, ErrorText>> = {
  malformedRequest: gateway(
    'The request line, a header or an encoding breaks the syntax of HTTP',
    'Fix the syntax of the HTTP request.',
  ),
  invalidProduct: service(
    "The product does not exist, is unavailable, or is another store's",
    'Fix the id of the product, or use a key of the store that sells it. In test mode, `details` names products of the store.',
  ),
  invalidApiKey: service(
    'The API key is missing or invalid',
    'Fix the header `Authorization: Bearer {key}`. Stop sending requests until then.',
  ),
  forbidden: gateway('The firewall rejected the request', 'Report it to us with the time of the request.'),
  cartNotFound: service(
    'The cart does not exist, or belongs to another store or mode (test or live)',
    'Fix the id of the cart, or use a key of its store and mode.',
  ),
  productNotFound: service(
    'The product does not exist, or belongs to another store',
    'Fix the id of the product, or use a key of its store.',
  ),
  routeNotFound: gateway(
    'No operation has this path and method',
    'Fix the base address, the path or the method. `details` names the operations.',
  ),
  requestTimeout: gateway('The request did not end in time', 'Retry.'),
  payloadTooLarge: gateway(
    'The body has 1 MB or more in production, or exceeds 10 MB',
    'Fix the size of the body. In production, send `Content-Length` too.',
  ),
  invalidPayload: service(
    'A field, a header or a parameter is missing, misspelled or invalid',
    'Fix what `details` lists: each entry has the path, and the rule that is broken.',
  ),
  cartCompleted: service(
    'The cart is completed, so it cannot be ended',
    'The buyer has paid: deliver the order, or ask us for a refund.',
  ),
  cartPaymentFailed: service(
    'A payment of the cart failed, so it cannot be ended',
    'The buyer can still pay this cart: keep the order open.',
  ),
  idempotencyKeyReused: service(
    'An earlier request used the `Idempotency-Key` with other fields',
    'Fix the key: use a new one for a new purchase attempt.',
  ),
  webhookEndpointNotFound: service(
    'The webhook endpoint does not exist, or belongs to another store or mode (test or live)',
    'Fix the id of the endpoint, or use a key of its store and mode.',
  ),
  webhookDeliveryNotFound: service(
    'The endpoint has no such delivery, it was a test, or its event is no longer kept',
    'Fix the id of the delivery, or read the list of events.',
  ),
  tooManyWebhookEndpoints: service(
    'The store has ten webhook endpoints in this mode',
    'Delete an endpoint, or change one instead.',
  ),
  webhookEndpointDisabled: service(
    'The webhook endpoint is disabled, so it gets no events',
    'Fix the cause, then enable the endpoint.',
  ),
  webhookEndpointLocked: service(
    'An operator of the service disabled the webhook endpoint, or another one with the same host',
    'Report it to us: only we can enable the endpoint.',
  ),
  webhookSecretChanged: service(
    'Another rotation replaced the secret before this one did',
    'Use the secret of the other rotation, or rotate again.',
  ),
  testEventLimited: service(
    'The webhook endpoint got a test event less than ten seconds ago, or less than a minute ago during a pause after failures',
    'Retry after the seconds in `Retry-After`.',
  ),
  resendLimited: service(
    'A delivery of the webhook endpoint was sent again less than ten seconds ago',
    'Retry after the seconds in `Retry-After`.',
  ),
  rateLimited: either(
    'The API key, or the payment page of a test cart, got too many requests',
    'Retry after the seconds in `Retry-After`.',
  ),
  pathTooLong: gateway('The path exceeds 1,400 bytes', 'Fix the path.'),
  headersTooLarge: gateway('The headers are too large', 'Fix the headers.'),
  internal: either('An unexpected error occurred', 'Retry a few times, then report it to us.'),
  serviceUnavailable: either(
    'The database is slow or unavailable',
    'Retry after the seconds in `Retry-After`. Report it to us if it persists.',
  ),
  functionFailed: gateway(
    'The service crashed or took too long. It may have processed the request.',
    'Retry with the same `Idempotency-Key`: the cart may exist.',
  ),
  integrationTimeout: gateway(
    'The gateway got no response in time. The service may have processed the request.',
    'Retry with the same `Idempotency-Key`: the cart may exist.',
  ),
};

/**
 * Every operation can return these errors: each needs an API key, test mode rejects a repeated header, and all are behind the
 * gateway.
 */
const isCommon = (kind: ApiErrorKind): boolean =>
  kind === 'invalidApiKey' ||
  kind === 'invalidPayload' ||
  (ERRORS[kind].sentBy !== 'service' && kind !== 'routeNotFound');

const ERROR_KINDS = Object.keys(ERRORS) as readonly ApiErrorKind[];

/** The errors of an operation, by status in ascending order. */
export const errorsByStatus = ({
  errors,
}: Pick<PublicOperation, 'errors'>): ReadonlyMap<number, ApiErrorKind[]> => {
  const kinds = ERROR_KINDS.filter((kind) => isCommon(kind) || errors.includes(kind));
  const byStatus = Map.groupBy(kinds, (kind) => API_ERRORS[kind].status);
  return new Map([...byStatus].toSorted(([left], [right]) => left - right));
};

const CODES = [...new Set(Object.values(API_ERRORS).map(({ code }) => code))];

/** Not an enumeration, because a client generated from it would reject a code that is added later. */
const errorCode = z.string().check(
  z.meta({
    id: 'ErrorCode',
    description: `Later versions can add codes. Handle an unknown code by its HTTP status. Known: ${CODES.map((code) => `\`${code}\``).join(', ')}.`,
    examples: CODES,
    'x-extensible-enum': CODES,
  }),
);

const errorFields = {
  code: errorCode,
  message: z.string().check(z.describe('English text for people. Programs read `code`.')),
};

const invalidField = z
  .object({
    path: z
      .string()
      .check(
        z.describe(
          'Such as `email`, `meta.color` or `headers.idempotency-key`. Empty for an issue of the whole body.',
        ),
      ),
    message: z.string().check(z.minLength(1), z.describe('The rule that the value breaks')),
  } satisfies FieldsOf<InvalidField>)
  .check(
    z.meta({
      id: 'InvalidField',
      description: 'A validation issue: the path of the field, and how to fix it',
    }),
  );

const details = z
  .array(invalidField)
  .check(
    z.minLength(1),
    z.maxLength(20),
    z.describe('The reasons. Always present with the code `VALIDATION_ERROR`'),
  );

/** Both schemas are the same: `IDEMPOTENCY_KEY_REUSED` has the status of validation errors, and may lack `details`. */
const errorResponse = (id: string) =>
  z.object({ ...errorFields, details: z.optional(details) }).check(z.meta({ id }));

const ERROR = bodyOf(errorResponse('ErrorResponse'), 'errors');
const VALIDATION_ERROR = bodyOf(errorResponse('ValidationErrorResponse'), 'validation errors');

const bodyOfKinds = (kinds: readonly ApiErrorKind[]): Body =>
  kinds.includes('invalidPayload') ? VALIDATION_ERROR : ERROR;

/** The `details` that the service sends for a usual mistake, of the errors that have `details`. */
const EXAMPLE_DETAILS: Readonly<Partial<Record<ApiErrorKind, readonly InvalidField[] | undefined>>> = {
  invalidPayload: [
    { path: 'redirectUrl', message: 'Unknown field redirectUrl; did you mean redirectURL?' },
    { path: 'email', message: 'Must be an e-mail address' },
  ],
  invalidApiKey: [{ path: 'headers.authorization', message: 'The scheme is missing: send Bearer {key}' }],
  cartNotFound: cartNotFoundForKey().details,
  invalidProduct: [
    {
      path: 'productDocumentId',
      message: 'The store has no product with this id. Products of the store: one-course, one-donation',
    },
  ],
  idempotencyKeyReused: [
    { path: 'email', message: 'Differs from the first request with this Idempotency-Key' },
  ],
};

/** The body of an error, as the service or the gateway sends it. */
export const exampleBody = (kind: ApiErrorKind): Json => {
  const examples = EXAMPLE_DETAILS[kind];
  const body = JSON.parse(gatewayErrorBody(API_ERRORS[kind])) as Json;
  return examples ? { ...body, details: examples } : body;
};

const exampleOf = (kind: ApiErrorKind): [code: string, example: Json] => [
  API_ERRORS[kind].code,
  { summary: ERRORS[kind].condition, value: exampleBody(kind) },
];

/** All conditions as one sentence. */
const anyOf = (kinds: readonly ApiErrorKind[]): string =>
  kinds
    .map((kind) => ERRORS[kind].condition)
    .join(', or ')
    .replaceAll(/(?<=, or )[A-Z]/g, (letter) => letter.toLowerCase());

const responseOf = (status: number, kinds: readonly ApiErrorKind[]): Json => ({
  description: anyOf(kinds),
  headers: errorHeaders(status, new Set(kinds.map((kind) => ERRORS[kind].sentBy))),
  content: {
    'application/json': {
      schema: schemaReference(bodyOfKinds(kinds).name),
      examples: Object.fromEntries(kinds.map(exampleOf)) as Json,
    },
  },
});

/** A name such as `MalformedRequestOrInvalidProduct`. */
const responseName = (kinds: readonly ApiErrorKind[]): string => kinds.map(capitalised).join('Or');

/** The error responses of an operation: references by status, and the components that they name. */
export const errorResponses = (operation: PublicOperation) => {
  const groups = [...errorsByStatus(operation)].map(([status, kinds]) => ({
    status,
    kinds,
    name: responseName(kinds),
  }));
  return {
    references: Object.fromEntries(
      groups.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]),
    ) as Json,
    responses: Object.fromEntries(
      groups.map(({ status, kinds, name }) => [name, responseOf(status, kinds)]),
    ) as Json,
    schemas: Object.assign({}, ...groups.map(({ kinds }) => bodyOfKinds(kinds).components)) as Json,
  };
};
