import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSummaryCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FULL_CONTEXT } from '../../../../infra/example-stages/contexts.ts';
import type { AccountFinding } from '../../../../infra/operate/preflight/checks.ts';
import { operate } from '../../../support/operators/operate.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';
import { fullStage } from '../../../support/stack/template.ts';

/** The account of the certificate and of the payment side in `FULL_CONTEXT`. */
const ACCOUNT = '111111111111';
const STACK = `CartCheckout-${FULL_CONTEXT.stage}`;

const cloudFormation = mockClient(CloudFormationClient);
const lambda = mockClient(LambdaClient);
const gateway = mockClient(APIGatewayClient);
const certificates = mockClient(ACMClient);
const iam = mockClient(IAMClient);
const sts = mockClient(STSClient);
const MOCKS = [cloudFormation, lambda, gateway, certificates, iam, sts];

afterAll(() => {
  for (const mock of MOCKS) mock.restore();
  vi.unstubAllEnvs();
});

const named = (name: string): Error => Object.assign(new Error(`${name} of AWS`), { name });

/** A new account: nothing was prepared, and its quotas are those of the smallest regions. */
beforeEach(() => {
  for (const mock of MOCKS) mock.reset();
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  sts.on(GetCallerIdentityCommand).resolves({ Account: ACCOUNT });
  cloudFormation.on(DescribeStacksCommand).rejects(named('ValidationError'));
  cloudFormation.on(GetTemplateCommand).rejects(named('ValidationError'));
  const AccountLimit = { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
  gateway.on(GetAccountCommand).resolves({ throttleSettings: { rateLimit: 2_500, burstLimit: 1_250 } });
  gateway.on(GetDomainNameCommand).rejects(named('NotFoundException'));
  certificates.on(DescribeCertificateCommand).rejects(named('ResourceNotFoundException'));
  iam.on(GetRoleCommand).rejects(named('NoSuchEntityException'));
  iam.on(GetAccountSummaryCommand).resolves({ SummaryMap: { Roles: 995, RolesQuota: 1_000 } });
});

/** Prepares the account. */
const prepare = (): void => {
  givenStack('CDKToolkit', { Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '30' }] });
  const AccountLimit = { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 };
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
  gateway.on(GetAccountCommand).resolves({
    cloudwatchRoleArn: `arn:aws:iam::${ACCOUNT}:role/ApiGatewayLogs`,
    throttleSettings: { rateLimit: 10_000, burstLimit: 10_000 },
  });
  givenCertificate({});
  iam.on(GetRoleCommand).resolves({ Role: { Arn: `arn:aws:iam::${ACCOUNT}:role/payments` } as never });
  iam.on(GetAccountSummaryCommand).resolves({ SummaryMap: { Roles: 10, RolesQuota: 1_000 } });
};

const givenStack = (StackName: string, description: object): void =>
  void cloudFormation.on(DescribeStacksCommand, { StackName }).resolves({ Stacks: [description as never] });

const givenCertificate = (changes: object): void =>
  void certificates
    .on(DescribeCertificateCommand)
    .resolves({ Certificate: { Status: 'ISSUED', DomainName: '*.example.com', ...changes } });

/** The assembly of a stage with every option. */
const givenAssembly = (properties: object = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-assembly-'));
  const templateFile = `${STACK}.template.json`;
  const stack = { templateFile, requiresBootstrapStackVersion: 6, ...properties };
  const artifacts = { [STACK]: { type: 'aws:cloudformation:stack', properties: stack } };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ artifacts }));
  writeFileSync(join(folder, templateFile), JSON.stringify(fullStage().template.toJSON()));
  return folder;
};

const PROTECTED = { terminationProtection: true };

const findingsOf = async (properties?: object) => {
  const ended = await operate(['preflight', '--assembly', givenAssembly(properties), '--json']);
  const { checks } = JSON.parse(ended.stdout) as { checks: readonly (AccountFinding & { check: string })[] };
  const findings = new Map(checks.map(({ check, result, remark }) => [check, `${result}: ${remark}`]));
  return { ...ended, findings };
};

describe('preflight', () => {
  it('says all that would fail in an account that lacks everything', async () => {
    const { exitCode, stdout, stderr } = await operate(['preflight', '--assembly', givenAssembly(PROTECTED)]);
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 1,
      stderr: 'The deployment would fail: correct 7 checks, and run this again.\n',
    });
    const roles = Object.keys(fullStage().template.findResources('AWS::IAM::Role')).length;
    expect(stdout.split('\n')).toStrictEqual([
      'The stack CartCheckout-full in the account 111111111111 in eu-west-1:',
      'CHECK                       RESULT   REMARK',
      'bootstrap of the CDK        fails    The CDK has no resources here: run `npx cdk bootstrap -c stage=bootstrap`.',
      'stack                       fails    It does not exist yet: add -c protected=false to its first deployment.',
      'certificate                 fails    There is no arn:aws:acm:eu-west-1:111111111111:certificate/full: request one, and validate it by DNS.',
      'domain name                 ok       No other API of this region has it',
      `IAM roles                   fails    The account has 995 of 1000, and the stage adds ${roles}: raise the quota L-FE177D64 of IAM.`,
      'roles of other stacks       fails    There is no arn:aws:iam::111111111111:role/payments. EventBridge rejects a policy with it: create it first.',
      'concurrent executions       fails    It reserves 378, but 0 are left of a quota of 10, because 100 must stay unreserved: raise the quota L-B99A9384 of Lambda, or deploy with -c reservedConcurrency=0.',
      'access logs of API Gateway  fails    API Gateway has no role for CloudWatch: create it as in docs/operate.md, "Prepare an account".',
      'requests to API Gateway     limited  Only 2500 requests a second and 1250 at once for all APIs in eu-west-1, and the stage would allow 5000 and 10000: raise the quota L-8A5B8E43 of API Gateway, or deploy with a lower -c requestsPerSecond.',
      '',
    ]);
  });

  it('finds nothing that would fail in an account that is prepared, and says what it cannot see', async () => {
    prepare();
    const { exitCode, stderr, findings } = await findingsOf();
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
    const others = [...findings].filter(([, finding]) => !finding.startsWith('ok: '));
    expect(others).toStrictEqual([
      [
        'roles of other stacks',
        'unknown: Only their own account knows whether they exist: arn:aws:iam::222222222222:role/team/operators',
      ],
    ]);
  });

  it.each([
    [
      'ROLLBACK_COMPLETE',
      true,
      'fails: Its creation failed, and it is protected: run `aws cloudformation update-term',
    ],
    ['ROLLBACK_COMPLETE', false, 'fails: It does not exist yet: add -c protected=false'],
    ['REVIEW_IN_PROGRESS', false, 'fails: It does not exist yet: add -c protected=false'],
    [
      'UPDATE_ROLLBACK_FAILED',
      true,
      'fails: Its last rollback failed: correct the resource that failed, then run `aws cloudformation',
    ],
    ['UPDATE_IN_PROGRESS', true, 'fails: It is UPDATE_IN_PROGRESS: wait until this ends.'],
    ['ROLLBACK_IN_PROGRESS', false, 'fails: It is ROLLBACK_IN_PROGRESS: wait until this ends.'],
    ['DELETE_FAILED', false, 'fails: Its deletion failed'],
    ['UPDATE_ROLLBACK_COMPLETE', true, 'ok: It is UPDATE_ROLLBACK_COMPLETE'],
    ['CREATE_COMPLETE', false, 'ok: It is CREATE_COMPLETE'],
  ])(
    'knows a protected stage whose stack is %s, and protected: %s',
    async (StackStatus, isProtected, finding) => {
      prepare();
      givenStack(STACK, { StackStatus, EnableTerminationProtection: isProtected });
      expect((await findingsOf(PROTECTED)).findings.get('stack')).toMatch(finding);
    },
  );

  it('rejects a deployment that would end the protection of a stage', async () => {
    prepare();
    givenStack(STACK, { StackStatus: 'UPDATE_COMPLETE', EnableTerminationProtection: true });
    expect((await findingsOf()).findings.get('stack')).toBe(
      'fails: The deployment would end its protection: leave out -c protected=false, unless you want to destroy the stage.',
    );
  });

  it('credits the deployed stack with what it has already', async () => {
    prepare();
    const AccountLimit = { ConcurrentExecutions: 500, UnreservedConcurrentExecutions: 100 };
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
    iam.on(GetAccountSummaryCommand).resolves({ SummaryMap: { Roles: 1_000, RolesQuota: 1_000 } });
    gateway.on(GetDomainNameCommand).resolves({});
    const without = await findingsOf();
    expect(without.findings.get('concurrent executions')).toMatch(
      /^fails: It reserves 3\d\d, but 0 are left of a quota of 500/,
    );
    expect(without.findings.get('IAM roles')).toMatch(/^fails: The account has 1000 of 1000/);
    expect(without.findings.get('domain name')).toMatch(
      /^fails: Another API of this region has full.example.com/,
    );
    const TemplateBody = JSON.stringify(fullStage().template.toJSON());
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
    expect(await findingsOf()).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [
      'another region',
      { AWS_REGION: 'us-east-1' },
      {},
      'fails: It is of 111111111111 in eu-west-1: use a certificate of',
    ],
    ['no validation yet', {}, { Status: 'PENDING_VALIDATION' }, 'fails: It is PENDING_VALIDATION: wait'],
    [
      'another name',
      {},
      { DomainName: '*.full.example.com' },
      'fails: It is for *.full.example.com, not for full.example.com.',
    ],
    [
      'one of its names',
      {},
      { DomainName: 'a.example', SubjectAlternativeNames: ['full.example.com'] },
      'ok: ',
    ],
  ])('examines a certificate: %s', async (_what, environment, changes, finding) => {
    prepare();
    givenCertificate(changes);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect((await findingsOf()).findings.get('certificate')?.startsWith(finding)).toBe(true);
  });

  it('leaves a bootstrap with a qualifier to CloudFormation', async () => {
    const bootstrapStackVersionSsmParameter = '/cdk-bootstrap/shop1/version';
    const { findings } = await findingsOf({ bootstrapStackVersionSsmParameter });
    expect(findings.get('bootstrap of the CDK')).toMatch(
      /^unknown: .*`aws ssm get-parameter --name \/cdk-bootstrap\/shop1\/version`\.$/,
    );
  });

  it('asks for a newer bootstrap, and proposes the executions that the account has', async () => {
    prepare();
    givenStack('CDKToolkit', { Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '5' }] });
    const AccountLimit = { ConcurrentExecutions: 400, UnreservedConcurrentExecutions: 400 };
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit });
    const { findings } = await findingsOf();
    expect(findings.get('bootstrap of the CDK')).toMatch(/^fails: Version 5 is older than 6/);
    expect(findings.get('concurrent executions')).toMatch(/-c reservedConcurrency=300\.$/);
  });

  it('says what the role may not read, and goes on', async () => {
    prepare();
    gateway.on(GetAccountCommand).rejects(named('AccessDeniedException'));
    const { exitCode, findings } = await findingsOf();
    expect(exitCode).toBe(0);
    expect(findings.get('access logs of API Gateway')).toMatch(/^unknown: Your role may not read it: /);
  });

  it('says which check AWS throttles, and finds what it would without that', async () => {
    prepare();
    const { findings: expected } = await findingsOf();
    expect(expected.size).toBe(9);
    const throttled = Object.assign(named('Throttling'), { $fault: 'client', $metadata: {} });
    gateway.on(GetDomainNameCommand).rejects(throttled);
    const { exitCode, findings } = await findingsOf();
    expect(exitCode).toBe(1);
    const remark = 'unavailable: AWS throttles the requests: try again in a minute.';
    expect([...findings]).toStrictEqual([...expected.set('domain name', remark)]);
  });

  it('fails in one sentence without credentials, and without an assembly', async () => {
    sts.on(GetCallerIdentityCommand).rejects(named('CredentialsProviderError'));
    expectFailure(
      await operate(['preflight', '--assembly', givenAssembly()]),
      1,
      /^No AWS credentials were found/,
    );
    expectFailure(
      await operate(['preflight', '--assembly', tmpdir()]),
      1,
      /has no synthesised stage: run `npm run synth/,
    );
  });
});
