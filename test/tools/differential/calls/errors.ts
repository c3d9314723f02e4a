import * as dynamodb from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { texts } from './values.ts';

const exported: readonly (readonly [string, unknown])[] = Object.entries(dynamodb);

/** The names of all exceptions that the SDK models. */
const MODELLED = exported
  .filter(
    ([, value]) =>
      typeof value === 'function' && value.prototype instanceof dynamodb.DynamoDBServiceException,
  )
  .map(([name]) => name);

const OTHER_ERRORS =
  'ValidationException SerializationException UnrecognizedClientException InvalidClientTokenId AccessDeniedException ExpiredTokenException IncompleteSignature MissingAuthenticationToken InternalFailure ServiceUnavailable SlowDown TooManyRequestsException Throttling RequestTimeout RequestTimeoutException NoSuchException Error constructor __proto__'.split(
    ' ',
  );

/** Their response corrects the client's clock. */
const SKEW_ERRORS = [
  'InvalidSignatureException',
  'RequestTimeTooSkewed',
  'RequestExpired',
  'RequestInTheFuture',
  'AuthFailure',
];

const NAMESPACES = [
  ['', ''],
  ['com.amazonaws.dynamodb.v20120810#', ''],
  ['com.amazon.coral.service#', ''],
  ['', ':http://internal.amazon.com/coral/'],
  ['com.amazonaws.dynamodb#', ','],
] as const;

const HOT_KEY = 'TableWriteKeyRangeThroughputExceeded';
const ITEM = { pk: { S: 'k' }, n: { N: '7' }, bytes: { B: 'AQI=' } };

const THROTTLES = ['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'];

/** The fields of errors that the service reads, by the errors' names. */
const FIELDS_OF = new Map<string, readonly object[]>(
  Object.entries({
    TransactionCanceledException: [
      {
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'ConditionalCheckFailed', Message: 'failed', Item: ITEM },
        ],
      },
      { CancellationReasons: [{ Code: 'TransactionConflict', Message: 'conflict' }] },
      { CancellationReasons: [{ Code: 'ThrottlingError' }, { Code: 'ProvisionedThroughputExceeded' }, {}] },
      { CancellationReasons: [] },
    ],
    ConditionalCheckFailedException: [
      { Item: ITEM },
      { Item: { list: { L: [{ B: 'AA==' }, { M: { b: { BS: ['AA==', 'AQ=='] } } }] } } },
      { Item: {} },
    ],
    ...Object.fromEntries(
      THROTTLES.map((name) => [
        name,
        [
          { ThrottlingReasons: [{ reason: HOT_KEY, resource: 'arn:aws:dynamodb:eu-west-1:1:table/t' }] },
          { throttlingReasons: [{ reason: HOT_KEY }, { reason: 'TableWriteAccountLimitExceeded' }] },
          { ThrottlingReasons: [], throttlingReasons: [] },
        ],
      ]),
    ),
  }),
);

const ANY_FIELDS = [
  {},
  {},
  {},
  { name: 'other', stack: 'none', $fault: 'server', code: 'Code', $metadata: 1 },
  { Unknown: { nested: [1, null] }, resourceType: 'table' },
  { Message: 'the other message' },
  { message: null, Message: 'the other message' },
  { message: '', Message: 'the other message' },
];

/** An error without its type has no fields of its own: the SDK leaves the bytes in them as base64. */
const codesOf = (name: string): fc.Arbitrary<string | null> => {
  const codes = fc.constantFrom(...NAMESPACES).map(([before, after]) => `${before}${name}${after}`);
  return FIELDS_OF.has(name) ? codes : fc.option(codes);
};

const errorBodyOf = (name: string): fc.Arbitrary<string> =>
  fc
    .record({
      code: codesOf(name),
      message: fc.option(texts),
      fields: fc.constantFrom(...(FIELDS_OF.get(name) ?? []), ...ANY_FIELDS),
    })
    .map(({ code, message, fields }) =>
      JSON.stringify({
        ...(code !== null && { __type: code }),
        ...(message !== null && { message }),
        ...fields,
      }),
    );

/** Errors without a type, or with an unusual one. */
const ODD_ERRORS = [
  '{"__type":7}',
  '{"code":"ThrottlingException"}',
  '{"Code":"ThrottlingException","Message":"slow"}',
];

/** Bodies of responses with an error. */
export const errorBodies = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...FIELDS_OF.keys()).chain(errorBodyOf) },
  { weight: 3, arbitrary: fc.constantFrom(...MODELLED).chain(errorBodyOf) },
  { weight: 3, arbitrary: fc.constantFrom(...OTHER_ERRORS).chain(errorBodyOf) },
  { weight: 2, arbitrary: fc.constantFrom(...SKEW_ERRORS).chain(errorBodyOf) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_ERRORS) },
);
