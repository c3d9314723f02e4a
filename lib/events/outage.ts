import { isUnavailable } from '../dynamodb.ts';

/** Errors of the stage's own setup: permissions, credentials, a missing table, queue or bus. They concern every record. */
const SETUP_ERRORS =
  /AccessDenied|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|InvalidSignature|Credentials|ResourceNotFound|QueueDoesNotExist|InvalidAccountId/;

/** The throttling errors of SQS, KMS and EventBridge. DynamoDB names its own differently. */
const FURTHER_THROTTLES = /Throttl/;

/**
 * Whether a call of DynamoDB, SQS or EventBridge failed because of an outage, a throttle or the setup of the stage. A retry
 * may succeed. After any other error, such as a rejected value or a defect of this code, each retry would fail.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof OutageError ||
  isUnavailable(error) ||
  (error instanceof Error && (SETUP_ERRORS.test(error.name) || FURTHER_THROTTLES.test(error.name)));

/** A service did not accept all of a batch. A later retry may succeed. */
export class OutageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutageError';
  }
}
