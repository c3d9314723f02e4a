import { randomBytes } from 'node:crypto';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { stackNameOf } from '../../../infra/stage/stage-name.ts';
import { UsageError } from '../../../infra/terminal/command-line.ts';
import { OperatorError } from '../../../infra/terminal/operator-error.ts';
import { ask } from '../../../infra/terminal/terminal.ts';
import { startEmulator } from '../../support/deploy/emulator.ts';
import { bootstrap, createDeployment, emulatorTarget, type Target } from '../../support/deploy/stage.ts';
import { startWebhookReceiver, verifyWebhook } from '../../support/http/webhook-receiver.ts';
import { type Caller, destroyStack, findCaller, openAccount } from './account.ts';
import { ALARM_CHECKS } from './alarm-checks.ts';
import { type AcceptingReceiver, type CheckedStage, prepareStage } from './checked-stage.ts';
import { FUNCTION_CHECKS } from './function-checks.ts';
import { attempt, costModelOf, type Result, resultTable, runChecks } from './results.ts';
import { ROLE_CHECKS } from './role-checks.ts';
import { STAGE_CHECKS } from './stage-checks.ts';
import { TRANSACTION_CHECKS } from './transaction-checks.ts';

/** The flags of the command line. */
export interface Flags {
  readonly emulator?: true;
  readonly yes?: true;
  readonly receiver?: string;
}

const ALL_CHECKS = [
  ...STAGE_CHECKS,
  ...FUNCTION_CHECKS,
  ...ROLE_CHECKS,
  ...TRANSACTION_CHECKS,
  ...ALARM_CHECKS,
];

/** A stage of an account has the firewall, the canary and the roll-outs of production. */
const CONTEXTS = {
  aws: { firewall: 'true', canary: 'true', rollout: 'in-steps' },
  emulator: { webhookLoopback: 'true' },
} as const;

/** Two deployments, of which the second takes a step of CodeDeploy, the alarms, and the destruction. */
const EXPECTED_MINUTES = 45;

// Delete this after the first run on AWS, and correct docs/operate.md.
export const NEVER_RUN = 'Nobody has run this on AWS yet.';

/** Where the stage is deployed. */
interface Place {
  readonly target: Target;
  readonly cloudFormation: CloudFormationClient;
  readonly context: Omit<StageContext, 'stage'>;
  readonly receiver?: AcceptingReceiver | undefined;
  /** Absent on the emulator, as is the cost. */
  readonly caller?: Caller;
  readonly costOf?: (minutes: number) => string;
}

const openEmulator = async (cleanUp: AsyncDisposableStack): Promise<Place> => {
  const { endpoint, stop } = await startEmulator();
  cleanUp.defer(stop);
  await bootstrap(endpoint);
  const { url, close } = await startWebhookReceiver(
    (webhook) => void verifyWebhook(receiver.secret, webhook),
  );
  cleanUp.defer(close);
  const receiver = { url, secret: '' };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const cloudFormation = new CloudFormationClient({ endpoint, region: 'us-east-1', credentials });
  return { target: emulatorTarget(endpoint), cloudFormation, context: CONTEXTS.emulator, receiver };
};

/** Asks before anything is deployed. */
const confirm = async (plan: string): Promise<void> => {
  const typed = await ask(`${plan} Type yes to continue: `, process);
  if (typed.trim().toLowerCase() !== 'yes') throw new OperatorError('Not confirmed: nothing was deployed.');
};

const openAws = async (stage: string, flags: Flags, signal: AbortSignal): Promise<Place> => {
  const caller = await findCaller();
  if (!flags.yes && !process.stdin.isTTY) {
    throw new UsageError(
      'The deployment needs a confirmation, but standard input is no terminal: add --yes.',
    );
  }
  const { accountId, region } = caller;
  const context = CONTEXTS.aws;
  const costOf = costModelOf({ stage, ...context }, ALL_CHECKS);
  const plan =
    `This deploys the stage ${stage} into the account ${accountId} in ${region}, checks it and destroys it. ` +
    `It takes about ${EXPECTED_MINUTES} minutes and costs about ${costOf(EXPECTED_MINUTES)}. ${NEVER_RUN}`;
  await (flags.yes ? console.error(plan) : confirm(plan));
  const target = { env: { ...process.env, AWS_REGION: region, NO_COLOR: '1' }, signal };
  const receiver = flags.receiver === undefined ? undefined : { url: flags.receiver, secret: '' };
  const cloudFormation = new CloudFormationClient({ region });
  return { target, cloudFormation, context, receiver, caller, costOf };
};

/** Checks a stage, and destroys it also after a failure or a signal. Returns the rows of the table. */
const checkStage = async (
  stageName: string,
  { target, cloudFormation, context, receiver, caller }: Place,
  cleanUp: AsyncDisposableStack,
  stop: AbortController,
): Promise<readonly Result[]> => {
  const stackName = stackNameOf(stageName);
  const { deploy, destroy } = createDeployment(target, stageName);
  const check = async (): Promise<readonly Result[]> => {
    let stage: CheckedStage | undefined;
    const deployed = await attempt('a stage deploys', async () => {
      stage = await prepareStage(await deploy(context), receiver);
      return `in ${Math.round(stage.deploySeconds)} s`;
    });
    if (!stage) return [deployed];
    const redeploy = (changes: typeof context) => deploy({ ...context, ...changes });
    const account = caller && { ...(await openAccount(cloudFormation, caller, stackName)), redeploy };
    const checks = await runChecks(ALL_CHECKS, { ...stage, ...(account && { account }) }, stop.signal);
    return [deployed, ...checks];
  };
  const checked = check();
  let destroyed: Promise<Result> | undefined;
  const destroyOnce = (): Promise<Result> =>
    (destroyed ??= attempt('the destruction leaves nothing', async () => {
      // A deployment that a signal ended may still run.
      await checked.catch(() => undefined);
      return `of ${await destroyStack(cloudFormation, stackName, destroy)} resources`;
    }));
  cleanUp.defer(async () => void (await destroyOnce()));
  cleanUp.defer(() => stop.abort());
  return [...(await checked), await destroyOnce()];
};

/**
 * Deploys a stage, checks it and destroys it.
 *
 * @param cleanUp ends the deployment and the checks, and destroys the stage
 * @returns the table of the checks with the cost, and whether none failed
 * @throws UsageError without `--yes` if nobody can be asked
 */
export const checkNewStage = async (
  cleanUp: AsyncDisposableStack,
  flags: Flags,
): Promise<{ readonly report: string; readonly hasPassed: boolean }> => {
  const stop = new AbortController();
  const stage = `check-${randomBytes(4).toString('hex')}`;
  const place = flags.emulator ? await openEmulator(cleanUp) : await openAws(stage, flags, stop.signal);
  const startedAtMs = Date.now();
  const results = await checkStage(stage, place, cleanUp, stop);
  const minutes = (Date.now() - startedAtMs) / 60_000;
  const cost = place.costOf?.(minutes) ?? 'nothing';
  return {
    report: `${resultTable(results)}\n\nIt took ${Math.ceil(minutes)} minutes and cost about ${cost}.`,
    hasPassed: results.every(({ outcome }) => outcome !== 'FAILED'),
  };
};
