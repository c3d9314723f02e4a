import {
  DynamoDBServiceException,
  InternalServerError,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeServiceException } from '@aws-sdk/client-eventbridge';
import { SQSServiceException } from '@aws-sdk/client-sqs';
import { UnreadableItemError } from '../lib/core/schema-version.ts';
import { isThrottle, isTlsFailure, isUnavailable, OutageError } from '../lib/core/errors.ts';

/** The service whose response is an error. `undefined` for an error without a response, and for any other service. */
const serviceOf = (error: unknown): string | undefined => {
  if (error instanceof SQSServiceException) return 'SQS';
  if (error instanceof EventBridgeServiceException) return 'EventBridge';
  return error instanceof DynamoDBServiceException ? 'DynamoDB' : undefined;
};

/** Whether an AWS service, or a server in its place, rejected a call. */
const isServiceRejection = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

const inOneLine = ({ name, message }: Error): string => `${name}: ${message.replaceAll(/\s+/g, ' ')}`;

/** The sentence for a failed call. `undefined` for any other error. */
const sentenceOf = (error: unknown, dynamodb: string | undefined): string | undefined => {
  const at = dynamodb === undefined ? '' : ` at ${dynamodb}`;
  if (error instanceof UnreadableItemError) return `${error.message}.`;
  if (error instanceof OutageError) return `${error.message}: try again in a minute.`;
  // Most calls are those of DynamoDB, as are the errors of its batches.
  const service = serviceOf(error) ?? 'DynamoDB';
  if (isThrottle(error)) return `${service} throttles the requests: try again in a minute.`;
  if (isTlsFailure(error)) {
    const remedy = at === '' ? 'the network and its proxies' : 'the address, or begin it with http://';
    const reason = error.code === 'EPROTO' ? '' : ` (${error.code})`;
    return `No TLS connection is possible to DynamoDB${at}${reason}: check ${remedy}.`;
  }
  if (error instanceof InternalServerError) return `DynamoDB failed${at} with ${inOneLine(error)}`;
  if (isUnavailable(error)) return `${service} does not respond${at}: check the address and the network.`;
  if (error instanceof ResourceNotFoundException) {
    return 'This DynamoDB has no tables of Cart Checkout: start the local stage on it, or deploy the stage again.';
  }
  if (!isServiceRejection(error)) return undefined;
  if (dynamodb !== undefined && service !== 'DynamoDB') {
    return `${dynamodb} rejected a call of ${service}: if no local stage runs there, start one, and pass the dynamodbEndpoint that it prints.`;
  }
  return `${serviceOf(error) ?? 'AWS'} rejected the call with ${inOneLine(error)}`;
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
