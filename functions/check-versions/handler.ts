import { setTimeout as sleep } from 'node:timers/promises';
import { createLambdaClient } from '../../lib/aws/lambda-client.ts';
import { createTransport } from '../../lib/aws/transport.ts';
import { createCanaryKey } from '../../lib/canary/canary-key.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import { readEnv } from '../../lib/core/env.ts';
import { describeFailedRun } from '../../lib/core/failed-check.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { createFunctionClient } from '../../lib/init/function-client.ts';
import type { Pauses } from '../../lib/core/pauses.ts';
import { createHookReporter, hookEventSchema, type ReportHook } from '../../lib/rollout/deployment-hook.ts';
import { checkVersions, type VersionChecksOptions } from '../../lib/rollout/version-checks.ts';
import { logger } from '../../lib/core/telemetry.ts';

interface Dependencies extends VersionChecksOptions, Pick<Pauses, 'sleep'> {
  /** Finds the canary's API key, if the stage has one. */
  readonly findKey: () => Promise<string | undefined>;
  readonly report: ReportHook;
  /** The time limit of all checks together. */
  readonly timeLimitMs: number;
}

/** A cold start and the time limit of an API function. */
const INVOCATION_TIMEOUT_MS = 10_000;

/** Three attempts of two invocations in a row, with their pauses. The time limit of the function leaves 30 s to report. */
const TIME_LIMIT_MS = 90_000;

const ATTEMPTS_MAX = 3;

/** A new permission takes effect some seconds after CloudFormation has written it. */
const PAUSE_MS = 10_000;

/** Checks the versions, up to three times. Returns the last error, or `undefined`. */
const failureOf = async (dependencies: Dependencies, signal: AbortSignal): Promise<unknown> => {
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    try {
      await checkVersions(dependencies, await dependencies.findKey(), signal);
      return undefined;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || signal.aborted) return error;
      logger.warn('versions', { outcome: 'retried', attempt, ...describeFailedRun(error) });
      await dependencies.sleep(PAUSE_MS);
    }
    // oxlint-enable no-await-in-loop
  }
};

/**
 * Handles the hook that CodeDeploy invokes before it shifts traffic to a new version of an API function
 * (`docs/operate.md`, "Roll-out"). It checks the versions of all functions, because a release goes out as a whole.
 *
 * It reports every failure. Without a report, CodeDeploy waits for an hour (AWS CodeDeploy User Guide, "AppSpec 'hooks'
 * section").
 *
 * @throws if CodeDeploy does not accept the report. Lambda then runs the hook again
 */
export const checkNewVersions =
  (dependencies: Dependencies) =>
  async (event: unknown): Promise<void> => {
    const hook = hookEventSchema.parse(event);
    const failure = await failureOf(dependencies, AbortSignal.timeout(dependencies.timeLimitMs));
    const { DeploymentId: deploymentId } = hook;
    if (failure === undefined) logger.info('versions', { outcome: 'checked', deploymentId });
    else logger.error('versions', { outcome: 'failed', deploymentId, ...describeFailedRun(failure) });
    await dependencies.report(hook, failure === undefined ? 'Succeeded' : 'Failed');
  };

const dependencies = (): Dependencies => {
  const { functionVersions } = readEnv(['functionVersions'], process.env);
  // A stage without a canary has no such table.
  const secretsTable = process.env[ENV_NAMES.secretsTable];
  const key = secretsTable === undefined ? undefined : createCanaryKey(createFunctionClient(), secretsTable);
  return {
    lambda: createLambdaClient(createTransport(INVOCATION_TIMEOUT_MS)),
    versions: functionVersions,
    now: processClock.now,
    sleep,
    findKey: async () => key?.find(),
    report: createHookReporter(),
    timeLimitMs: TIME_LIMIT_MS,
  };
};

export const handler = checkNewVersions(dependencies());
