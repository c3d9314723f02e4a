import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import type { StageValues } from '../../../infra/stage/stage-values.ts';
import { blocksOf } from '../documents/documented-commands.ts';
import { runProgram } from '../programs/run-program.ts';
import { createHttpClient } from '../service/http-client.ts';
import { givenTeamRepository } from './repository.ts';
import { bootstrap, emulatorTarget } from './stage.ts';
import { createCart } from './store.ts';
import { completeEarlier } from './test-carts.ts';

const STACK = 'CartCheckout-prod';

const FILE = 'stages/prod.json';

/**
 * Every value that `prod` can have on the emulator, which has no CodeDeploy. Each differs from its default.
 * `test/deploy/roll-back.test.ts` checks that none is missing.
 */
export const VALUES = {
  checkoutUrl: 'https://pay.example.com',
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/full',
  hostedZoneId: 'Z0123456789ABC',
  defaultEndpoint: 'true',
  docsUrl: 'https://docs.example.com/carts',
  requestsPerSecond: '5000',
  cartExpiryMinutes: '60',
  personalDataDays: '3650',
  alarmEmail: 'ops@example.com',
  firewall: 'true',
  firewallAllow: '203.0.113.0/24,2001:db8::/32',
  dailyBudgetUsd: '50',
  budgetScope: 'stage',
  tags: 'team=shop,cost-centre=42',
  liveRequestsPerHour: '600',
  reservedConcurrency: '400',
  canary: 'false',
  dashboard: 'false',
  sandbox: 'false',
  paymentSource: 'acme.payments',
  paymentRoleArn: 'arn:aws:iam::111111111111:role/payments',
  // The rule takes payment events only from the accounts of both roles. The commands run in this one, that of the emulator.
  operatorRoleArn: 'arn:aws:iam::000000000000:role/team/operators',
  rollout: 'all-at-once',
} as const satisfies Partial<StageContext>;

/** The values in the file of the commit to which the stage returns. A roll-back must not take them. */
const EARLIER_VALUES = { checkoutUrl: 'https://pay.example.com', alarmEmail: 'none', personalDataDays: 730 };

/** A function, and the line that breaks it: the retrieval of an unpaid cart then responds 500. */
const SOUND = 'const canBePaid = (status: CartStatus): boolean => {';
const DEFECT = `${SOUND}\n  if (status === 'waiting_payment') throw new Error('defect');`;

/** The stack as CloudFormation has it. */
interface DeployedStack {
  readonly outputs: Readonly<Record<string, string>>;
  readonly values: StageValues;
  /** The template without the outputs and the mapping, which name the release. */
  readonly resources: unknown;
  readonly commit: string;
  readonly changedAt: string;
}

const describe = async (client: CloudFormationClient): Promise<DeployedStack> => {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: STACK }));
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName: STACK }));
  const outputs = Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
  const { Outputs: _, Mappings: __, ...resources } = JSON.parse(TemplateBody) as Record<string, unknown>;
  return {
    outputs,
    resources,
    values: JSON.parse(outputs['StageValues'] ?? '') as StageValues,
    commit: (JSON.parse(outputs['Release'] ?? '') as { commit: string }).commit,
    changedAt: String(stack?.LastUpdatedTime),
  };
};

/** A live store of the deployed stage. */
const givenLiveStore = async (
  endpoint: string,
  { outputs }: DeployedStack,
  operate: (command: string) => Promise<Record<string, unknown>>,
) => {
  const baseUrl = `${endpoint}/_aws/execute-api/${outputs['ApiId']}/prod`;
  await operate('stores put shop --name Shop');
  await operate('products put course --store shop --name Course --currency EUR --price 49.9');
  const { apiKey } = await operate('keys issue --store shop --mode live --yes');
  const shop = { client: createHttpClient(baseUrl), apiKey: String(apiKey) };
  const retrieve = (cartId: string) => shop.client.getCart(cartId, { apiKey: shop.apiKey });
  return {
    retrieve,
    /** Creates a cart that waits for its payment. Returns its id. */
    create: () => createCart(shop),
    /** Creates a cart, reports its payment to the bus, and moves its completion so many days back. Returns its id. */
    createPaid: async (days: number): Promise<string> => {
      const id = await createCart(shop);
      await operate(`payments send --cart ${id} --result succeeded --yes`);
      await completeEarlier(endpoint, outputs['CartsTable'], id, days);
      return id;
    },
  };
};

/**
 * The commands that `docs/upgrade.md` prints for a roll-back, except the acceptance: `prod` accepts only webhooks to public hosts,
 * which need a DNS.
 */
const printedCommands = (commit: string): string => {
  const [, section = ''] = /\n## Roll back\n(.*?)\n## /s.exec(readFileSync('docs/upgrade.md', 'utf8')) ?? [];
  const [find = '', rollBack = ''] = blocksOf(section, 'sh');
  return `${find}\n${rollBack}`.replaceAll('{commit}', commit).replace(/npm run operate -- accept .*/, '');
};

/**
 * Deploys `prod` with every value to an emulator, and then a release with a defect: the retrieval of an unpaid cart responds 500.
 * It takes some minutes.
 */
export const givenBadRelease = async (endpoint: string) => {
  await bootstrap(endpoint);
  const npm = { npm_config_cache: join(homedir(), '.npm'), npm_config_prefer_offline: 'true' };
  const env = { ...emulatorTarget(endpoint).env, ...npm, CDK_REQUIRE_APPROVAL: 'never', USER: 'ada' };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const cloudFormation = new CloudFormationClient({ endpoint, region: 'us-east-1', credentials });
  const team = givenTeamRepository();
  const run = (command: string, cwd = team.folder): Promise<string> =>
    runProgram('bash', ['-euo', 'pipefail', '-c', command], { cwd, env });
  const operate = async (command: string): Promise<Record<string, unknown>> =>
    JSON.parse(await run(`npm run --silent operate -- ${command} --stage prod --json`)) as Record<
      string,
      unknown
    >;
  const stack = (): Promise<DeployedStack> => describe(cloudFormation);

  const earlier = team.commit({ [FILE]: JSON.stringify(EARLIER_VALUES) });
  team.commit({ [FILE]: JSON.stringify(VALUES) });
  await run('npm ci');
  // MiniStack 1.5.33 ignores a change of outputs alone, which AWS deploys: the second deployment changes a resource too.
  await run('npm run deploy -- -c stage=prod -c protected=false -c requestsPerSecond=4000');
  await run('npm run deploy -- -c stage=prod');
  const before = await stack();
  const store = await givenLiveStore(endpoint, before, operate);
  const [waitingCart, oldCart] = [await store.create(), await store.createPaid(800)];
  const bad = team.commit(team.replaced('lib/carts/cart-view.ts', SOUND, DEFECT));
  await run('npm run deploy -- -c stage=prod');
  return {
    env,
    run,
    operate,
    stack,
    store,
    before,
    waitingCart,
    /** A cart that was completed 800 days ago: the values of the stage keep its buyer, and those of the earlier commit do not. */
    oldCart,
    /** The folder of the repository, and the one that the documents give to a roll-back. */
    folders: {
      all: join(team.folder, '..'),
      team: team.folder,
      rollBack: join(team.folder, '../cart-checkout-rollback'),
    },
    commits: { earlier, bad },
    /** Runs the commands that the documents print. Returns their output. */
    rollBack: () => run(printedCommands(earlier)),
  };
};

export type BadRelease = Awaited<ReturnType<typeof givenBadRelease>>;
