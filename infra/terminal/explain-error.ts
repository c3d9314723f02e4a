import { DynamoDBServiceException, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { EventBridgeServiceException } from '@aws-sdk/client-eventbridge';
import { SQSServiceException } from '@aws-sdk/client-sqs';
import {
  areCredentialsRejected,
  hasNoCredentials,
  isThrottle,
  isUnavailable,
  UnavailableError,
} from '../../lib/aws/errors.ts';
import { isTlsFailure } from '../../lib/core/tls-errors.ts';
import { UnreadableItemError } from '../../lib/database/readable-item.ts';

/** Whether an AWS service, or a server in its place, rejected a call. */
const isServiceRejection = (error: unknown): error is Error =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

/** The service whose response is an error. `undefined` for an error without a response. */
const serviceOf = (error: unknown): string | undefined => {
  if (error instanceof SQSServiceException) return 'SQS';
  if (error instanceof EventBridgeServiceException) return 'EventBridge';
  if (error instanceof DynamoDBServiceException) return 'DynamoDB';
  return isServiceRejection(error) ? 'AWS' : undefined;
};

const inOneLine = ({ name, message }: Error): string => `${name}: ${message.replaceAll(/\s+/g, ' ')}`;

/**
 * Why the SDK found no credentials. Its own error has the reason of the last source that it tried, so the profile is read once
 * more, alone.
 */
const credentialsSentence = async (failure: Error): Promise<string> => {
  const named = process.env['AWS_PROFILE'] ?? '';
  const { fromIni } = await import('@aws-sdk/credential-provider-ini');
  const { message } = await fromIni()().then(
    () => failure,
    (reason: Error) => reason,
  );
  const profile = named === '' ? 'default' : named;
  const [, missing] = /using profile: \[(.+?)\]/.exec(message) ?? [];
  if (missing !== undefined) {
    return named === ''
      ? 'No AWS credentials were found: set AWS_PROFILE, and sign in if the profile uses AWS SSO.'
      : `The AWS profile ${missing} does not exist or has no credentials: check AWS_PROFILE, which is ${named}, and the files of \`aws configure\`.`;
  }
  if (message.includes('multi-factor')) {
    return `The AWS profile ${profile} needs an MFA code, which these commands cannot ask for: run \`eval "$(aws configure export-credentials --profile ${profile} --format env)"\`, then unset AWS_PROFILE.`;
  }
  const reason = message.replaceAll(/\s+/g, ' ').replace(/[.\s]*$/, '.');
  return `The AWS profile ${profile} has no credentials: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
};

/** Whether a signature is too old or too new. The SDK corrects its clock only by a response that has a date. */
const isClockError = ({ name, message }: Error): boolean =>
  /^Request(?:Expired|InTheFuture|TimeTooSkewed)$/.test(name) ||
  /Signature (?:expired|not yet current)/.test(message);

/** The status of a response that is no response of AWS, such as the page of a proxy. */
const foreignStatus = (error: unknown): number | undefined => {
  const { name, $metadata: metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  return /^(?:Unknown|Error|SyntaxError)$/.test(name) ? metadata?.httpStatusCode : undefined;
};

/** The place of a service, and what to check if it does not respond. */
export interface Place {
  /** Such as ` in eu-west-1`. */
  readonly at: string;
  readonly remedy: string;
  /** Advice if no TLS connection is possible. */
  readonly tlsRemedy?: string;
}

/**
 * The sentence for a failed call of any AWS service: its credentials, the clock, the connection, or the service. `undefined` for any
 * other error.
 *
 * @param service its name, such as `CloudFormation`
 */
export const explainCall = async (
  error: unknown,
  service: string,
  { at, remedy, tlsRemedy = remedy }: Place,
): Promise<string | undefined> => {
  if (!(error instanceof Error)) return undefined;
  if (hasNoCredentials(error)) return credentialsSentence(error);
  if (isClockError(error)) return "AWS rejects the time of the requests: correct this machine's clock.";
  if (areCredentialsRejected(error)) {
    return `AWS rejects these credentials (${error.name}): sign in again, or set another AWS_PROFILE.`;
  }
  if (isThrottle(error)) return `${service} throttles the requests: try again in a minute.`;
  if (isTlsFailure(error)) {
    const reason = error.code === 'EPROTO' ? '' : ` (${error.code})`;
    return `No TLS connection is possible to ${service}${at}${reason}: check ${tlsRemedy}.`;
  }
  const status = foreignStatus(error);
  if (status !== undefined) {
    return `A response with the status ${status} came in place of one of ${service}${at}: check ${remedy}.`;
  }
  if (!isUnavailable(error)) return undefined;
  return isServiceRejection(error)
    ? `${service} failed${at} with ${inOneLine(error)}`
    : `${service} does not respond${at}: check ${remedy}.`;
};

/** The service of an error without a response. */
export type Called = 'DynamoDB' | 'AWS';

/**
 * The sentence for a failed call. `undefined` for any other error.
 *
 * @param dynamodb the address that the command line names, if any
 * @param called most calls are those of DynamoDB, as are the errors of its batches
 */
export const explainFailure = async (
  error: unknown,
  dynamodb: string | undefined,
  called: Called = 'DynamoDB',
): Promise<string | undefined> => {
  if (error instanceof UnreadableItemError) return `${error.message}.`;
  if (error instanceof UnavailableError) return `${error.message}: try again in a minute.`;
  const service = serviceOf(error) ?? called;
  const place =
    dynamodb === undefined
      ? {
          at: '',
          remedy:
            called === 'AWS' ? 'the network, its proxies and AWS_REGION' : 'the network and its proxies',
        }
      : {
          at: ` at ${dynamodb}`,
          remedy: 'the address and the network',
          tlsRemedy: 'the address, or begin it with http://',
        };
  const explained = await explainCall(error, service, place);
  if (explained !== undefined) return explained;
  if (service === 'DynamoDB' && error instanceof ResourceNotFoundException) {
    return 'This DynamoDB has no tables of Cart Checkout: start the local stage on it, or deploy the stage again.';
  }
  if (!isServiceRejection(error)) return undefined;
  if (dynamodb !== undefined && service !== 'DynamoDB') {
    return `${dynamodb} rejected a call of ${service}: if no local stage runs there, start one, and pass the dynamodbEndpoint that it prints.`;
  }
  return `${service} rejected the call with ${inOneLine(error)}`;
};

/**
 * The message about an error that is no `OperatorError`: the sentence of {@link explainFailure}, or the lines of the stack of an
 * unexpected error.
 */
export const explainError = async (
  error: unknown,
  dynamodb: string | undefined,
  called?: Called,
): Promise<readonly string[]> => {
  const sentence = await explainFailure(error, dynamodb, called);
  if (sentence !== undefined) return [sentence];
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
};
