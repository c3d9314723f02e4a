import {
  environmentCredentials,
  environmentEndpoint,
  environmentRegion,
  regionEndpoint,
} from './environment.ts';
import { authorization, signatureTimestamp } from './signature.ts';
import type { Transport } from './transport.ts';

/** An invocation that has no result: Lambda rejected it, or the function failed. */
export class InvocationError extends Error {
  /** Lambda's name for the failure, or the status of its response. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'InvocationError';
    this.code = code;
  }
}

/** Invokes Lambda functions. */
export interface LambdaClient {
  /**
   * Invokes a function once, and waits for its result.
   *
   * @param functionArn the ARN of a function, or of one of its versions or aliases
   * @param event any JSON
   * @throws InvocationError without a result, or the transport's error
   */
  invoke(functionArn: string, event: unknown, signal?: AbortSignal): Promise<unknown>;
}

/** The client of a function for Lambda. It has the endpoint, region and credentials of the environment. */
export const createLambdaClient = (transport: Transport): LambdaClient => ({
  async invoke(functionArn, event, signal) {
    const region = environmentRegion();
    const credentials = environmentCredentials();
    // API reference of Lambda, "Invoke".
    const path = `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`;
    const endpoint = new URL(path, environmentEndpoint('LAMBDA') ?? regionEndpoint('lambda', region));
    const body = JSON.stringify(event);
    const timestamp = signatureTimestamp(Date.now());
    const { sessionToken } = credentials;
    const signed: readonly [name: string, value: string][] = [
      ['content-type', 'application/json'],
      ['host', endpoint.host],
      ['x-amz-date', timestamp],
      ...(sessionToken === undefined ? [] : [['x-amz-security-token', sessionToken] as [string, string]]),
    ];
    const scope = { region, service: 'lambda' };
    const signature = authorization({ path, headers: signed, body }, credentials, scope, timestamp);
    const headers = [
      ...signed.flat(),
      'authorization',
      signature,
      'content-length',
      String(Buffer.byteLength(body)),
    ];
    const response = await transport.send({ endpoint, method: 'POST', headers, body }, signal);
    if (response.cut) throw response.cut;
    const { statusCode, headers: received } = response;
    if (statusCode !== 200) {
      const code = String(received['x-amzn-errortype'] ?? statusCode);
      throw new InvocationError('Lambda rejected the invocation', code);
    }
    const failure = received['x-amz-function-error'];
    if (failure !== undefined) throw new InvocationError('The function failed', String(failure));
    return JSON.parse(response.body) as unknown;
  },
});
