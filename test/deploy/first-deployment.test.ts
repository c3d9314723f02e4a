import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/stage/stage-name.ts';
import { inventory } from '../support/deploy/aws.ts';
import { keepKnown } from '../support/deploy/emulated-stack.ts';
import { type Emulator, startEmulator } from '../support/deploy/emulator.ts';
import {
  bootstrap,
  createDeployment,
  type Deployment,
  emulatorTarget,
  type Synthesised,
} from '../support/deploy/stage.ts';
import { runProgram } from '../support/programs/run-program.ts';

/** Production, without the resources that the emulator does not know. */
const CONTEXT = {
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'none',
  firewall: 'false',
  rollout: 'all-at-once',
  canary: 'false',
  dashboard: 'false',
  reservedConcurrency: '0',
};
const STACK = stackNameOf('prod');

/** A resource that CloudFormation cannot create, after those whose ids begin with the text. */
const failAfter =
  (beginning: string) =>
  (synthesised: Synthesised): readonly string[] => {
    keepKnown(synthesised);
    const { Resources } = synthesised.template;
    const DependsOn = Object.keys(Resources).filter((id) => id.startsWith(beginning));
    expect(DependsOn).not.toStrictEqual([]);
    // CloudFormation creates no parameter of this type.
    const Properties = { Type: 'SecureString', Name: '/cart-checkout/fails', Value: 'x' };
    Resources['Fails'] = { Type: 'AWS::SSM::Parameter', Properties, DependsOn };
    return DependsOn;
  };

/** The assembly of a stage that needs an account with everything. */
const synthesise = async (context: Readonly<Record<string, string>>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-preflight-'));
  const values = Object.entries(context).flatMap((value) => ['-c', value.join('=')]);
  const target = emulatorTarget(emulator.endpoint);
  await runProgram('cdk', ['synth', '--quiet', ...values, '--output', folder], target);
  return folder;
};

/** The checks of the preflight that are not `ok`, by their name. */
const preflight = async (folder: string): Promise<Record<string, string>> => {
  const args = ['run', '--silent', 'operate', '--', 'preflight', '--assembly', folder, '--json'];
  const { env } = emulatorTarget(emulator.endpoint);
  // It fails if a check does.
  const stdout = await runProgram('npm', args, { env }).catch(String);
  const line = stdout.split('\n').find((each) => each.startsWith('{'));
  const { checks } = JSON.parse(line ?? '') as {
    readonly checks: readonly { readonly check: string; readonly result: string }[];
  };
  return Object.fromEntries(
    checks.filter(({ result }) => result !== 'ok').map(({ check, result }) => [check, result]),
  );
};

let emulator: Emulator;
let cloudFormation: CloudFormationClient;
let before: Record<string, string>;
let prod: Deployment;

beforeAll(async () => {
  emulator = await startEmulator();
  const { endpoint } = emulator;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  cloudFormation = new CloudFormationClient({ endpoint, region: 'us-east-1', credentials });
  prod = createDeployment(emulatorTarget(endpoint), 'prod');
});

afterAll(() => emulator.stop());

describe('the preflight of production', () => {
  it('finds what an account lacks, before anything is created', async () => {
    const lacking = await synthesise({
      ...CONTEXT,
      stage: 'prod',
      domain: 'api.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/missing',
      paymentRoleArn: 'arn:aws:iam::000000000000:role/missing',
    });
    expect(await preflight(lacking)).toStrictEqual({
      'bootstrap of the CDK': 'fails',
      stack: 'fails',
      certificate: 'fails',
      'roles of other stacks': 'fails',
      'access logs of API Gateway': 'fails',
    });
    await bootstrap(emulator.endpoint);
    before = await inventory(emulator.endpoint);
    const prepared = await synthesise({ ...CONTEXT, stage: 'prod', protected: 'false' });
    expect(await preflight(prepared)).toStrictEqual({ 'access logs of API Gateway': 'fails' });
  });
});

/** The state of the stack. `absent` if there is none. */
const stackState = async (): Promise<string> => {
  const described = await cloudFormation
    .send(new DescribeStacksCommand({ StackName: STACK }))
    .catch((error: unknown) => {
      if (!String(error).includes('does not exist')) throw error;
      return undefined;
    });
  const [stack] = described?.Stacks ?? [];
  if (!stack) return 'absent';
  return `${stack.StackStatus}${stack.EnableTerminationProtection ? ', protected' : ''}`;
};

/** The resources that the stack had when its creation failed. */
const createdBefore = async (): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const page of paginateDescribeStackEvents({ client: cloudFormation }, { StackName: STACK })) {
    const created = page.StackEvents?.filter(({ ResourceStatus }) => ResourceStatus === 'CREATE_COMPLETE');
    ids.push(...(created ?? []).map(({ LogicalResourceId = '' }) => LogicalResourceId));
  }
  return ids;
};

const protect = (EnableTerminationProtection: boolean) =>
  cloudFormation.send(
    new UpdateTerminationProtectionCommand({ StackName: STACK, EnableTerminationProtection }),
  );

describe('the first deployment of production', () => {
  it('is not possible with protection, and then leaves nothing to undo', async () => {
    await expect(prod.deploy(CONTEXT, keepKnown)).rejects.toThrow(
      '/cart-checkout/prod/first-deployment-done',
    );
    expect(await stackState()).toBe('absent');
    expect(await inventory(emulator.endpoint)).toStrictEqual(before);
  });

  it('that fails would block the next one, if it had the protection of the stack', async () => {
    const protectedFailure = (synthesised: Synthesised): void => {
      failAfter('Database')(synthesised);
      synthesised.manifest.artifacts[STACK]!.properties['terminationProtection'] = true;
    };
    const deploy = () => prod.deploy({ ...CONTEXT, protected: 'false' }, protectedFailure);
    await expect(deploy()).rejects.toThrow('SecureString');
    expect(await stackState()).toBe('ROLLBACK_COMPLETE, protected');
    await expect(deploy()).rejects.toThrow('TerminationProtection is enabled');
    // docs/upgrade.md, "If a deployment fails"
    await protect(false);
    await cloudFormation.send(new DeleteStackCommand({ StackName: STACK }));
    await expect.poll(stackState).toBe('absent');
  });

  // Each attempt begins where the one before has failed.
  it.each([
    ['the tables', 'Database'],
    ['the functions', 'RecordPayment'],
    ['everything else', ''],
  ])('that fails after %s leaves nothing that blocks the next one', async (_after, beginning) => {
    const fail = failAfter(beginning);
    let created: readonly string[] = [];
    const failing = prod.deploy({ ...CONTEXT, protected: 'false' }, (synthesised) => {
      created = fail(synthesised);
    });
    await expect(failing).rejects.toThrow('SecureString');
    expect(await stackState()).toBe('ROLLBACK_COMPLETE');
    expect(await createdBefore()).toStrictEqual(expect.arrayContaining([...created]));
    expect(await inventory(emulator.endpoint)).toStrictEqual(before);
  });

  it('succeeds after them, and the second one adds the protection, without which there is no live key', async () => {
    const first = await prod.deploy({ ...CONTEXT, protected: 'false' }, keepKnown);
    expect(await stackState()).toBe('CREATE_COMPLETE');
    const putStore = () => first.operate('stores', 'put', 'shop', '--name', 'Shop');
    await putStore();
    const issueLive = () => first.operate('keys', 'issue', '--store', 'shop', '--mode', 'live', '--yes');
    await expect(issueLive()).rejects.toThrow('The stage prod has no protection yet');

    await prod.deploy(CONTEXT, keepKnown);
    expect(await stackState()).toBe('UPDATE_COMPLETE, protected');
    // MiniStack 1.5.33 replaces a global table at a change of its replicas. AWS changes it in place.
    await putStore();
    expect(await issueLive()).toMatchObject({ mode: 'live' });
    await expect(prod.destroy()).rejects.toThrow('TerminationProtection is enabled');
  });

  it('is followed by deployments of which a failed one blocks none', async () => {
    await expect(prod.deploy(CONTEXT, failAfter(''))).rejects.toThrow('SecureString');
    expect(await stackState()).toBe('UPDATE_ROLLBACK_COMPLETE, protected');
    await prod.deploy({ ...CONTEXT, cartExpiryMinutes: '60' }, keepKnown);
    expect(await stackState()).toBe('UPDATE_COMPLETE, protected');
  });

  it('can come again after a destruction, which keeps the tables', async () => {
    await prod.deploy({ ...CONTEXT, protected: 'false' }, keepKnown);
    const { tables } = await inventory(emulator.endpoint);
    await prod.destroy();
    expect(await stackState()).toBe('absent');
    expect((await inventory(emulator.endpoint))['tables']).toBe(tables);
    await expect(prod.deploy(CONTEXT, keepKnown)).rejects.toThrow('first-deployment-done');
  });
});
