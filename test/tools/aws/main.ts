import { randomBytes } from 'node:crypto';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Command } from 'commander';
import { parseHttpUrl, UsageError } from '../../../infra/command-line.ts';
import { counted } from '../../../infra/counted.ts';
import { OperatorError } from '../../../infra/operator-error.ts';
import type { StageContext } from '../../../infra/stage-context.ts';
import { stackNameOf } from '../../../infra/stages.ts';
import { ask } from '../../../infra/terminal.ts';
import { startEmulator } from '../../deploy/support/emulator.ts';
import { startReceiver } from '../../deploy/support/receiver.ts';
import { bootstrap, createDeployment, emulatorTarget, type Target } from '../../deploy/support/stage.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';
import { runTool } from '../run-tool.ts';
import { type Caller, destroyStack, findCaller, openAccount } from './account.ts';
import { type AcceptingReceiver, CHECKS, prepareStage } from './checks.ts';
import { attempt, costOf, type Result, resultTable, runChecks } from './results.ts';
import { ROLE_CHECKS } from './role-checks.ts';

interface Flags {
  readonly emulator?: true;
  readonly yes?: true;
  readonly receiver?: string;
}

const ALL_CHECKS = [...CHECKS, ...ROLE_CHECKS];

/** The most requests of all checks. */
const REQUESTS = ALL_CHECKS.reduce((sum, { requests = 0 }) => sum + requests, 0);

/** What production has and a branch lacks. */
const ON_AWS = { firewall: 'true', canary: 'true', rollout: 'canary' };

const ON_EMULATOR = { webhookLoopback: 'true' };

/** Two deployments, of which the second takes a step of CodeDeploy, and the destruction. */
const EXPECTED_MINUTES = 25;

// Delete this after the first run on AWS, and correct docs/operate.md.
const NEVER_RUN = 'Nobody has run this command on AWS yet.';

/** Asks before anything is deployed. */
const confirm = async (plan: string, yes = false): Promise<void> => {
  console.error(plan);
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError('Standard input is no terminal: add --yes.');
  const typed = await ask('Type yes to continue: ', process);
  if (typed.trim().toLowerCase() !== 'yes') throw new OperatorError('Not confirmed: nothing was deployed.');
};

/** Where the stage is deployed. */
interface Place {
  readonly target: Target;
  readonly cloudFormation: CloudFormationClient;
  readonly context: Omit<StageContext, 'stage'>;
  readonly receiver?: AcceptingReceiver | undefined;
  /** Absent on the emulator. */
  readonly caller?: Caller;
}

const openEmulator = async (cleanUp: AsyncDisposableStack): Promise<Place> => {
  const { endpoint, stop } = await startEmulator();
  cleanUp.defer(stop);
  await bootstrap(endpoint);
  const receiver = await startReceiver();
  cleanUp.defer(() => receiver.stop());
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const cloudFormation = new CloudFormationClient({ endpoint, region: 'us-east-1', credentials });
  return { target: emulatorTarget(endpoint), cloudFormation, context: ON_EMULATOR, receiver };
};

const openAws = async (stage: string, { receiver, yes }: Flags, signal: AbortSignal): Promise<Place> => {
  const caller = await findCaller();
  const { accountId, region } = caller;
  const dollars = costOf({ stage, ...ON_AWS }, EXPECTED_MINUTES, REQUESTS);
  await confirm(
    `This deploys the stage ${stage} into the account ${accountId} in ${region}, checks it and destroys it. ` +
      `It takes about ${EXPECTED_MINUTES} minutes and costs about ${dollars}. ${NEVER_RUN}`,
    yes,
  );
  const env = { ...process.env, AWS_REGION: region, NO_COLOR: '1' };
  return {
    target: { env, signal },
    cloudFormation: new CloudFormationClient({ region }),
    context: ON_AWS,
    ...(receiver !== undefined && { receiver: { url: receiver, secret: '' } }),
    caller,
  };
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
  let destroyed: Promise<Result> | undefined;
  const destroyOnce = (): Promise<Result> =>
    (destroyed ??= attempt('the destruction leaves nothing', async () => {
      const left = await destroyStack(cloudFormation, stackName, destroy);
      if (left.length === 0) return;
      const remedy = `run npx cdk destroy -c stage=${stageName}, and delete the rest by hand`;
      throw new Error(`${counted(left.length, 'resource')} left: ${remedy}\n${left.join('\n')}`);
    }));
  cleanUp.defer(async () => void (await destroyOnce()));
  cleanUp.defer(() => stop.abort());
  const checked: Result[] = [];
  const deployed = await attempt('a stage deploys', async () => {
    const stage = await prepareStage(await deploy(context), receiver);
    const redeploy = (changes: typeof context) => deploy({ ...context, ...changes });
    const account = caller && { ...(await openAccount(cloudFormation, caller, stackName)), redeploy };
    checked.push(...(await runChecks(ALL_CHECKS, stage, account, stop.signal)));
    return `in ${Math.round(stage.deploySeconds)} s`;
  });
  return [deployed, ...checked, await destroyOnce()];
};

const HELP = `
Examples:
  npm run test:aws -- --emulator
  AWS_PROFILE=stages AWS_REGION=eu-west-1 npm run test:aws
  AWS_PROFILE=stages AWS_REGION=eu-west-1 npm run test:aws -- --receiver https://shop.example/hook

${NEVER_RUN} docs/operate.md, "Check an account", has the rest.`;

const program = new Command('npm run test:aws --')
  .description('Checks on AWS what no emulator shows: deploys a stage, checks it and destroys it.')
  .option('--emulator', 'use an AWS emulator on this machine, and leave out what it does not check')
  .option('--receiver <url>', 'a public https address that responds with 2xx to webhooks', parseHttpUrl)
  .option('--yes', 'do not ask before the deployment')
  .addHelpText('after', HELP);

await runTool(program, async (cleanUp, flags: Flags) => {
  useTemporaryFolder();
  const stop = new AbortController();
  const stageName = `check-${randomBytes(4).toString('hex')}`;
  const place = flags.emulator ? await openEmulator(cleanUp) : await openAws(stageName, flags, stop.signal);
  const startedAtMs = Date.now();
  const results = await checkStage(stageName, place, cleanUp, stop);
  const minutes = (Date.now() - startedAtMs) / 60_000;
  console.log(`\n${resultTable(results)}\n`);
  if (place.caller) {
    const dollars = costOf({ stage: stageName, ...ON_AWS }, minutes, REQUESTS);
    console.log(
      `It took ${Math.ceil(minutes)} minutes and cost about ${dollars}, at list prices of us-east-1.`,
    );
  }
  if (results.some(({ outcome }) => outcome === 'FAILED')) process.exitCode = 1;
});
