import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StageContext } from '../../infra/stage-context.ts';
import type { StageValues } from '../../infra/stage-values.ts';
import { DAY_MS } from '../../lib/core/durations.ts';
import { blocksOf } from '../frame/commands.ts';
import { FULL } from '../infra/stack/template.ts';
import { createHttpClient } from '../support/http-client.ts';
import { runProgram } from '../support/run-program.ts';
import { BUYER } from '../support/secrets.ts';
import { callJson } from './support/aws.ts';
import { type Emulator, startEmulator } from './support/emulator.ts';
import { givenTeamRepository, type TeamRepository } from './support/repository.ts';
import { createCart } from './support/shop.ts';
import { bootstrap, emulatorTarget } from './support/stage.ts';
import { waitUntil } from './support/test-carts.ts';

const STACK = 'CartCheckout-prod';

/** Every value that `prod` can have on the emulator, which has no CodeDeploy. Each differs from its default. */
const VALUES: Partial<StageContext> = {
  ...FULL,
  stage: undefined as never,
  webhookLoopback: undefined,
  checkoutUrl: 'https://pay.example.com',
  domain: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/full',
  defaultEndpoint: 'true',
  cartExpiryMinutes: '60',
  personalDataDays: '3650',
  canary: 'false',
  dashboard: 'false',
  sandbox: 'false',
  rollout: 'all-at-once',
};

const FILE = 'stages/prod.json';

const OLD_VALUES = { checkoutUrl: 'https://pay.example.com', alarmEmail: 'none' };

let emulator: Emulator;
let env: Record<string, string | undefined>;
let cloudFormation: CloudFormationClient;
let team: TeamRepository;
/** The commit to return to. In its own file, the stage has other values. */
let earlier: string;
let bad: string;

const run = (command: string, cwd = team.folder): Promise<string> =>
  runProgram('bash', ['-euo', 'pipefail', '-c', command], { cwd, env });

const deploy = (flags = ''): Promise<string> => run(`npm run deploy -- -c stage=prod ${flags}`);

const operate = async (command: string): Promise<Record<string, unknown>> =>
  JSON.parse(await run(`npm run --silent operate -- ${command} --stage prod --json`)) as Record<
    string,
    unknown
  >;

interface Deployed {
  readonly outputs: Readonly<Record<string, string>>;
  readonly values: StageValues;
  /** The template without the outputs and the mapping that name the release. */
  readonly resources: unknown;
  readonly commit: string;
  readonly changedAt: string;
}

/** The stack as CloudFormation has it. */
const deployed = async (): Promise<Deployed> => {
  const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: STACK }));
  const { TemplateBody = '' } = await cloudFormation.send(new GetTemplateCommand({ StackName: STACK }));
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

beforeAll(async () => {
  emulator = await startEmulator();
  await bootstrap(emulator.endpoint);
  const { endpoint } = emulator;
  const npm = { npm_config_cache: join(homedir(), '.npm'), npm_config_prefer_offline: 'true' };
  env = { ...emulatorTarget(endpoint).env, ...npm, CDK_REQUIRE_APPROVAL: 'never', USER: 'ada' };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  cloudFormation = new CloudFormationClient({ endpoint, region: 'us-east-1', credentials });
  team = givenTeamRepository();
  earlier = team.commit({ [FILE]: JSON.stringify(OLD_VALUES) });
  team.commit({ [FILE]: JSON.stringify(VALUES) });
  await run('npm ci');
  await deploy('-c protected=false');
  await deploy();
});

afterAll(() => emulator.stop());

const call = async (operation: string, request: object): Promise<Record<string, unknown>> =>
  JSON.parse(
    await callJson(emulator.endpoint, 'dynamodb', `DynamoDB_20120810.${operation}`, request),
  ) as Record<string, unknown>;

/** A live store of the stage, with a completed cart. */
const givenLiveStore = async () => {
  const { outputs } = await deployed();
  const client = createHttpClient(`${emulator.endpoint}/_aws/execute-api/${outputs['ApiId']}/prod`);
  await operate('stores put shop --name Shop');
  await operate('products put course --store shop --name Course --currency EUR --price 49.9');
  const { apiKey } = await operate('keys issue --store shop --mode live --yes');
  const store = { client, apiKey: String(apiKey) };
  const retrieve = (cartId: string) => client.getCart(cartId, { apiKey: store.apiKey });
  const cartId = await createCart(store);
  const detail = {
    eventId: randomUUID(),
    cartId,
    mode: 'live',
    paymentId: randomUUID(),
    amount: 49.9,
    currency: 'EUR',
    occurredAt: new Date().toISOString(),
  };
  const entry = {
    EventBusName: outputs['EventBusName'],
    Source: VALUES.paymentSource,
    DetailType: 'payment.succeeded',
    Detail: JSON.stringify(detail),
  };
  await callJson(emulator.endpoint, 'events', 'AWSEvents.PutEvents', { Entries: [entry] });
  await waitUntil(async () => (await retrieve(cartId)).body['status'] === 'completed');
  const TableName = outputs['CartsTable'];
  const { Item } = await call('GetItem', { TableName, Key: { id: { S: cartId } } });
  return {
    retrieve,
    create: () => createCart(store),
    /** Stores a copy that was completed some days ago. Returns its id. */
    storeOld: async (days: number): Promise<string> => {
      const [id, time] = [randomUUID(), { N: String(Date.now() - days * DAY_MS) }];
      const times = { updatedAtMs: time, completedAtMs: time, timerAtMs: time };
      await call('PutItem', { TableName, Item: { ...(Item as object), ...times, id: { S: id } } });
      return id;
    },
  };
};

/** The commands that `docs/upgrade.md` prints for a roll-back. */
const printedCommands = (commit: string, baseUrl: string): string => {
  const [, section = ''] = /\n## Roll back\n(.*?)\n## /s.exec(readFileSync('docs/upgrade.md', 'utf8')) ?? [];
  const [find = '', rollBack = ''] = blocksOf(section, 'sh');
  return (
    `${find}\n${rollBack}`
      .replaceAll('{commit}', commit)
      // The emulator serves the API under its own path.
      .replace(/operate -- accept .*/, `$& --base-url ${baseUrl}`)
  );
};

describe('a roll-back of a stage with every value, as the documents print it', () => {
  test('returns to the earlier code with all values of today, and an 800-day-old cart keeps its buyer', async () => {
    const before = await deployed();
    const store = await givenLiveStore();
    const waitingCart = await store.create();

    const marker = 'const canBePaid = (status: CartStatus): boolean => {';
    const defect = `${marker}\n  if (status === 'waiting_payment') throw new Error('defect');`;
    bad = team.commit(team.replaced('lib/carts/cart-view.ts', marker, defect));
    await deploy();
    expect(await deployed()).toMatchObject({ commit: bad, values: before.values });
    expect(await store.retrieve(waitingCart)).toMatchObject({ status: 500 });
    expect(await operate('stage show')).toMatchObject({ commit: bad, deployer: 'ada', version: '1.0.0' });

    const output = await run(
      printedCommands(earlier, `${emulator.endpoint}/_aws/execute-api/${before.outputs['ApiId']}/prod`),
    );
    expect(output).toContain('The deployment loses no value of CartCheckout-prod.');
    const after = await deployed();
    expect(after.commit).toBe(earlier);
    expect(after.values).toStrictEqual({ ...before.values, isRollback: true });
    expect(after.resources).toStrictEqual(before.resources);
    expect(await store.retrieve(waitingCart)).toMatchObject({ status: 200 });

    const [young, old] = [await store.storeOld(800), await store.storeOld(3_700)];
    const buyerOf = async (cartId: string) => (await store.retrieve(cartId)).body['customerInfo'];
    await waitUntil(async () => JSON.stringify(await buyerOf(old)) === '{}');
    expect(await buyerOf(young)).toStrictEqual(BUYER);
    process.stdout.write(
      `Before: ${JSON.stringify(before.values)}\nAfter: ${JSON.stringify(after.values)}\nThe template is equal.\n`,
    );
  });

  test('and again changes nothing', async () => {
    const before = await deployed();
    const folder = resolve(team.folder, '../cart-checkout-rollback');
    await run('npm run deploy -- -c stage=prod -c rollback=true', folder);
    expect(await deployed()).toStrictEqual(before);
  });
});
