import {
  DynamoDBServiceException,
  InternalServerError,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { UnreadableItemError } from '../lib/core/unreadable-item.ts';
import { isThrottle, isUnavailable } from '../lib/core/errors.ts';

/** Whether an AWS service, or a server in its place, rejected a call. */
const isServiceRejection = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

/** Whether a TLS handshake failed, as with a server that speaks plain HTTP. */
const isTlsFailure = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|.*CERT)/.test(String(error.code));

const inOneLine = ({ name, message }: Error): string => `${name}: ${message.replaceAll(/\s+/g, ' ')}`;

/** The sentence for a failed call. `undefined` for any other error. */
const sentenceOf = (error: unknown, dynamodb: string | undefined): string | undefined => {
  const at = dynamodb === undefined ? '' : ` at ${dynamodb}`;
  if (error instanceof UnreadableItemError) return `${error.message}.`;
  if (isThrottle(error)) return 'DynamoDB throttles the requests: try again in a minute.';
  if (isTlsFailure(error)) {
    const remedy = at === '' ? 'the network and its proxies' : 'the address, or begin it with http://';
    const reason = error.code === 'EPROTO' ? '' : ` (${error.code})`;
    return `No TLS connection is possible to DynamoDB${at}${reason}: check ${remedy}.`;
  }
  if (error instanceof InternalServerError) return `DynamoDB failed${at} with ${inOneLine(error)}`;
  if (isUnavailable(error)) return `DynamoDB does not respond${at}: check the address and the network.`;
  if (error instanceof ResourceNotFoundException) {
    return 'This DynamoDB has no tables of Cart Checkout: start the local stage on it, or deploy the stage again.';
  }
  if (!isServiceRejection(error)) return undefined;
  const service = error instanceof DynamoDBServiceException ? 'DynamoDB' : 'AWS';
  return `${service} rejected the call with ${inOneLine(error)}`;
};

/**
 * The message about an error that is no `OperatorError`: one sentence, or the lines of the stack of an unexpected error.
 *
 * @param dynamodb the address that the command line names, if any
 */
export const explainError = (error: unknown, dynamodb: string | undefined): readonly string[] => {
  const sentence = sentenceOf(error, dynamodb);
  if (sentence !== undefined) return [sentence];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};
