import { StandardRetryStrategy } from '@smithy/core/retry';
import * as z from 'zod/mini';
import { JsonClient, type Service } from '../aws/json-client.ts';

/** Any error of CodeDeploy. No caller distinguishes errors by class. */
class CodeDeployError extends Error {
  constructor({ name }: { readonly name: string }) {
    super();
    this.name = name;
  }
}

const SERVICE: Service = {
  id: 'CODEDEPLOY',
  name: 'codedeploy',
  target: 'CodeDeploy_20141006',
  version: '1.1',
  exceptions: { byName: new Map(), base: CodeDeployError },
};

/** The event with which CodeDeploy invokes a hook of a deployment. */
export const hookEventSchema = z.object({
  DeploymentId: z.string(),
  LifecycleEventHookExecutionId: z.string(),
});

export type HookEvent = z.infer<typeof hookEventSchema>;

/** Reports the result of a hook to CodeDeploy, which waits for it before it shifts traffic. */
export type ReportHook = (hook: HookEvent, status: 'Succeeded' | 'Failed') => Promise<unknown>;

/** Creates a reporter. It makes up to five attempts of 3 s each, and throws if CodeDeploy accepts none. */
export const createHookReporter = (): ReportHook => {
  const defaults = { timeoutMs: 3_000, retryStrategy: new StandardRetryStrategy(5) };
  const client = new JsonClient(SERVICE, {}, defaults);
  return ({ DeploymentId: deploymentId, LifecycleEventHookExecutionId }, status) =>
    client.call('PutLifecycleEventHookExecutionStatus', {
      deploymentId,
      lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
      status,
    });
};
