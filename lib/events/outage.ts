import { isDatabaseUnavailable } from '../dynamodb.ts';

/** Errors of the stage's own setup: permissions, credentials, a missing table, queue or bus. They concern every record. */
const SETUP_ERRORS =
  /AccessDenied|NotAuthorized|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|InvalidSignature|Credentials|ResourceNotFound|QueueDoesNotExist|InvalidAccountId/;

/** Throttles of SQS, KMS and EventBridge that DynamoDB does not have. */
const FURTHER_THROTTLES = /Throttl/;

/**
 * Whether a call of DynamoDB, SQS or EventBridge failed for a reason outside of the record that it was about: an outage, a
 * throttle, or the setup of the stage. A retry may succeed. Any other error, such as a rejected value or a defect of this
 * code, would return with each retry.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof OutageError ||
  isDatabaseUnavailable(error) ||
  (error instanceof Error && (SETUP_ERRORS.test(error.name) || FURTHER_THROTTLES.test(error.name)));

/** A service did not take a part of a batch. A later retry may succeed. */
export class OutageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutageError';
  }
}
