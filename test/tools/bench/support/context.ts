import { createLambdaContext } from '../../../../infra/local/gateway/invocation.ts';

/** The context of all invocations in a worker. It outlasts every measurement. */
export const CONTEXT = createLambdaContext({
  functionName: 'bench',
  awsRequestId: 'bench',
  timeoutMs: 3_600_000,
  now: Date.now,
});
