import * as z from 'zod/mini';
import type { FieldsOf } from '../../lib/fields-of.ts';
import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import type { InvalidField } from '../../lib/invalid-field.ts';
import type { PublicOperation } from './contracts.ts';
import { errorHeaders, type SentBy } from './headers.ts';
import { type Body, bodyOf, type Json, schemaReference } from './json-schema.ts';

interface ErrorText {
  readonly sentBy: SentBy;
  /** Every operation can return it. */
  readonly isCommon?: true;
  readonly condition: string;
}

/** When each error is returned, and by which part of the service. */
export const ERRORS: Readonly<Record<ApiErrorKind, ErrorText>> = {
  malformedRequest: { sentBy: 'gateway', isCommon: true, condition: 'The HTTP request is malformed' },
  invalidProduct: {
    sentBy: 'service',
    condition: 'The product is unavailable or does not belong to this store',
  },
  invalidApiKey: { sentBy: 'service', isCommon: true, condition: 'The API key is missing or invalid' },
  forbidden: { sentBy: 'gateway', isCommon: true, condition: 'The firewall rejected the request' },
  cartNotFound: {
    sentBy: 'service',
    condition: 'The cart does not exist, or belongs to another store or to the other mode (test or live)',
  },
  // Outside of every operation.
  routeNotFound: { sentBy: 'gateway', condition: 'No operation has this path and method' },
  requestTimeout: { sentBy: 'gateway', isCommon: true, condition: 'The request did not end in time' },
  payloadTooLarge: { sentBy: 'gateway', isCommon: true, condition: 'The body exceeds 10 MB' },
  invalidPayload: { sentBy: 'service', condition: 'The payload format is invalid' },
  idempotencyKeyReused: {
    sentBy: 'service',
    condition: 'An earlier request used the `Idempotency-Key` with other fields',
  },
  rateLimited: { sentBy: 'either', isCommon: true, condition: 'Too many requests' },
  headersTooLarge: { sentBy: 'gateway', isCommon: true, condition: 'The headers are too large' },
  internal: { sentBy: 'either', isCommon: true, condition: 'An unexpected error occurred' },
  serviceUnavailable: { sentBy: 'either', isCommon: true, condition: 'The database is slow or unavailable' },
  integrationTimeout: {
    sentBy: 'gateway',
    isCommon: true,
    condition: 'The service did not respond in time. It may have processed the request.',
  },
};

const ERROR_KINDS = Object.keys(ERRORS) as readonly ApiErrorKind[];

/** The errors of an operation, by status in ascending order. */
export const errorsByStatus = ({
  errors,
}: Pick<PublicOperation, 'errors'>): ReadonlyMap<number, ApiErrorKind[]> => {
  const kinds = ERROR_KINDS.filter((kind) => ERRORS[kind].isCommon ?? errors.includes(kind));
  const byStatus = Map.groupBy(kinds, (kind) => API_ERRORS[kind].status);
  return new Map([...byStatus].toSorted(([left], [right]) => left - right));
};

const errorFields = {
  code: z.enum([...new Set(Object.values(API_ERRORS).map(({ code }) => code))]).check(
    z.meta({
      id: 'ErrorCode',
      description: 'New codes can be added. Handle an unknown code by its HTTP status.',
    }),
  ),
  message: z.string().check(z.describe('One English sentence for people. Programs read `code`.')),
};

const errorResponse = z.object(errorFields).check(z.meta({ id: 'ErrorResponse' }));

const invalidField = z
  .object({
    path: z
      .string()
      .check(
        z.describe(
          'The field, with dots between its parts, such as `meta.orderId`. A header is `headers.idempotency-key`. Empty for the whole body.',
        ),
      ),
    message: z.string().check(z.minLength(1), z.describe('The rule that the value breaks')),
  } satisfies FieldsOf<InvalidField>)
  .check(
    z.meta({
      id: 'InvalidField',
      description: 'A validation issue of one field. It never repeats the value.',
    }),
  );

const validationErrorResponse = z
  .object({
    ...errorFields,
    details: z.optional(
      z
        .array(invalidField)
        .check(z.minLength(1), z.maxLength(20), z.describe('Present with the code `VALIDATION_ERROR` only')),
    ),
  })
  .check(z.meta({ id: 'ValidationErrorResponse' }));

const ERROR = bodyOf(errorResponse, 'errors');
const VALIDATION_ERROR = bodyOf(validationErrorResponse, 'validation errors');

const bodyOfKinds = (kinds: readonly ApiErrorKind[]): Body =>
  kinds.includes('invalidPayload') ? VALIDATION_ERROR : ERROR;

const exampleOf = (kind: ApiErrorKind): [code: string, example: Json] => {
  const { code, message } = API_ERRORS[kind];
  const details =
    kind === 'invalidPayload' ? { details: [{ path: 'email', message: 'Must be an e-mail address' }] } : {};
  return [code, { summary: ERRORS[kind].condition, value: { code, message, ...details } }];
};

const responseOf = (status: number, kinds: readonly ApiErrorKind[]): Json => ({
  description: kinds.map((kind) => ERRORS[kind].condition).join('; '),
  headers: errorHeaders(status, new Set(kinds.map((kind) => ERRORS[kind].sentBy))),
  content: {
    'application/json': {
      schema: schemaReference(bodyOfKinds(kinds).name),
      examples: Object.fromEntries(kinds.map(exampleOf)) as Json,
    },
  },
});

/** Such as `MalformedRequestOrInvalidProduct`. */
const responseName = (kinds: readonly ApiErrorKind[]): string =>
  kinds.map((kind) => kind.charAt(0).toUpperCase() + kind.slice(1)).join('Or');

/** The error responses of an operation: references by status, and the components to which they refer. */
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
