import { describe, expect, it } from 'vitest';
import {
  areCredentialsRejected,
  hasNoCredentials,
  isAccessDenied,
  isHotKeyThrottle,
  isRetryable,
  isThrottle,
  isTransactionConflict,
  isUnavailable,
  UnavailableError,
  ThrottledError,
} from '../../../lib/aws/errors.ts';

/** An error with these properties. `name` is one of them. */
const errorWith = (properties: object): Error => Object.assign(new Error('any'), properties);

const named = (name: string, properties: object = {}): Error => errorWith({ name, ...properties });

const cancelled = (...codes: readonly string[]): Error =>
  named('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

/** A retry may succeed, and the client gets a 503. */
const kindOf = (error: unknown): string => {
  if (isHotKeyThrottle(error)) return 'hot key throttle';
  if (isThrottle(error)) return 'throttle';
  if (isUnavailable(error)) return 'unavailable';
  return isRetryable(error) ? 'setup' : 'defect';
};

describe('a service is unavailable', () => {
  const CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

  it.each([
    ...[...CODES, 'ENOTFOUND', 'EAI_AGAIN'].map((code) => ({ code })),
    { $fault: 'server' },
    { $metadata: { httpStatusCode: 500 } },
    { $metadata: { httpStatusCode: 599 } },
    ...['TimeoutError', 'AbortError'].map((name) => ({ name })),
    ...['TransactionConflictException', 'ReplicatedWriteConflictException'].map((name) => ({ name })),
  ])('by this property alone: %o', (properties) => {
    expect(kindOf(errorWith(properties))).toBe('unavailable');
  });

  it('after a response that is no JSON, but not after the malformed JSON of a client', () => {
    const parsing = new SyntaxError('JSON');
    expect(kindOf(parsing)).toBe('defect');
    expect(kindOf(Object.assign(parsing, { $metadata: { httpStatusCode: 200 } }))).toBe('unavailable');
  });

  it('if a batch was not accepted, or other writers always came first', () => {
    expect(kindOf(new UnavailableError('left'))).toBe('unavailable');
    expect(new UnavailableError('left').name).toBe('UnavailableError');
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'if a transaction was cancelled for the reason %s',
    (code) => expect(kindOf(cancelled('None', code))).toBe('unavailable'),
  );
});

describe('a throttle', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'RequestThrottled',
    'KmsThrottled',
    'TooManyRequestsException',
  ])('is the error %s of AWS', (name) => {
    expect(kindOf(named(name))).toBe('throttle');
    expect(isUnavailable(named(name))).toBe(true);
  });

  it('is a batch of which DynamoDB always leaves a part', () => {
    const error = new ThrottledError();
    expect([error.name, kindOf(error), isUnavailable(error)]).toStrictEqual([
      'ThrottledError',
      'throttle',
      true,
    ]);
  });

  const READ = { reason: 'TableReadKeyRangeThroughputExceeded' };
  const WRITE = { reason: 'TableWriteKeyRangeThroughputExceeded' };

  it.each([
    ['hot key throttle', named('ThrottlingException', { throttlingReasons: [WRITE] })],
    ['hot key throttle', named('RequestLimitExceeded', { ThrottlingReasons: [READ, WRITE] })],
    // Other items of the table cause it.
    ['throttle', named('ThrottlingException', { throttlingReasons: [WRITE, { reason: 'Other' }] })],
    [
      'throttle',
      named('ThrottlingException', {
        throttlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded' }],
      }),
    ],
    ['throttle', named('ThrottlingException', { throttlingReasons: [{}] })],
    ['throttle', named('ThrottlingException', { throttlingReasons: [] })],
    ['defect', errorWith({ throttlingReasons: [WRITE] })],
  ])('is an %s only by its reasons', (kind, error) => {
    expect(kindOf(error)).toBe(kind);
  });
});

describe('a conflict of transactions', () => {
  it.each([
    [true, named('TransactionConflictException')],
    [true, cancelled('None', 'TransactionConflict')],
    [false, cancelled('ConditionalCheckFailed')],
    [false, named('ConditionalCheckFailedException')],
    [false, { name: 'TransactionConflictException' }],
  ])('is %s: %o', (is, error) => {
    expect(isTransactionConflict(error)).toBe(is);
  });
});

describe('the setup of the stage', () => {
  const CREDENTIALS = ['ExpiredToken', 'ExpiredTokenException', 'InvalidClientTokenId', 'InvalidSecurity'];
  const SIGNATURES = ['IncompleteSignature', 'IncompleteSignatureException', 'InvalidSignatureException'];
  const REJECTED = [
    ...CREDENTIALS,
    ...SIGNATURES,
    'MissingAuthenticationToken',
    'MissingAuthenticationTokenException',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
  ];
  const DENIED = [
    'AccessDenied',
    'AccessDeniedException',
    'KmsAccessDenied',
    'NotAuthorized',
    'OptInRequired',
  ];
  const KEYS = ['KmsDisabled', 'KmsInvalidKeyUsage', 'KmsInvalidState', 'KmsNotFound', 'KmsOptInRequired'];
  const MISSING = [...KEYS, 'InvalidAddress', 'QueueDoesNotExist', 'ResourceNotFoundException'];

  it.each([...REJECTED, ...DENIED, ...MISSING, 'CredentialsProviderError', 'TokenProviderError'])(
    'is retryable, but no client gets a 503: %s',
    (name) => expect(kindOf(named(name))).toBe('setup'),
  );

  it('shows whether the credentials are missing, rejected or insufficient', () => {
    const kinds = (name: string): boolean[] =>
      [hasNoCredentials, areCredentialsRejected, isAccessDenied].map((is) => is(named(name)));
    expect(kinds('TokenProviderError')).toStrictEqual([true, false, false]);
    expect(kinds('ExpiredToken')).toStrictEqual([false, true, false]);
    expect(kinds('AccessDenied')).toStrictEqual([false, false, true]);
    expect(kinds('ResourceNotFoundException')).toStrictEqual([false, false, false]);
  });
});

describe('a defect', () => {
  it.each([
    new Error('TimeoutError'),
    new TypeError('ThrottlingException'),
    errorWith({ code: 'ENOENT' }),
    errorWith({ $fault: 'client', $metadata: { httpStatusCode: 400 } }),
    named('ValidationException', { $fault: 'client' }),
    named('InvalidMessageContents', { $fault: 'client' }),
    // A name that only contains one of the names.
    named('MyAccessDeniedExceptions'),
    // Its code is a number.
    new DOMException('client', 'DataCloneError'),
    cancelled('ConditionalCheckFailed', 'None'),
    'ThrottlingException',
    { name: 'ThrottlingException' },
    undefined,
    null,
  ])('has no such name, code or status: %o', (error) => {
    expect(kindOf(error)).toBe('defect');
  });
});
