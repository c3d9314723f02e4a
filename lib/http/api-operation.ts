import type { APIGatewayProxyResult } from 'aws-lambda';
import { type AdmissionOptions, type AdmittedRequest, admit } from './admission.ts';
import type { InputOptions } from './operation-input.ts';
import { operation, type OperationOptions, type ProxyFunction } from './pipeline.ts';
import { readInput } from './read-input.ts';
import { readKey } from './request-key.ts';

interface ApiOperation<Input, Resource>
  extends AdmissionOptions<Input, Resource>, InputOptions<Input>, Pick<OperationOptions, 'logName' | 'now'> {
  /** Handles an admitted request. It throws an `ApiError` to reject the request. */
  readonly handle: (request: AdmittedRequest<Input, Resource>) => Promise<APIGatewayProxyResult>;
}

/** An operation that needs an API key. The form of the key comes first, then the input. Both together admit a request. */
export const apiOperation = <Input, Resource = undefined>(
  options: ApiOperation<Input, Resource>,
): ProxyFunction =>
  operation({
    logName: options.logName,
    now: options.now,
    handle: (request, now) => {
      const { state } = request;
      const key = readKey(request, options.authenticator, now());
      const parsed = readInput(request, key, options);
      state.loggedIssues = parsed.loggedIssues;
      return async (signal) => options.handle(await admit(key, parsed, options, { now, signal, state }));
    },
  });
