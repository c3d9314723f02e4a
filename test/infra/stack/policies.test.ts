import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { shellLinesOf } from '../../support/documents/documented-commands.ts';
import { sectionsOf } from '../../support/documents/markdown.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

interface Statement {
  readonly Sid: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const readPolicy = (name: string): readonly Statement[] =>
  (JSON.parse(readFileSync(`docs/policies/${name}.json`, 'utf8')) as { Statement: readonly Statement[] })
    .Statement;

const POLICIES = { operators: readPolicy('operators'), execution: readPolicy('execution') };

const actionsOf = (statements: readonly Statement[]): readonly string[] =>
  statements.flatMap(({ Action }) => Action);

/** The quota of a managed policy, without white space. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const CHARACTERS_MAX = 6_144;

it.each(Object.entries(POLICIES))('the policy %s fits into a managed policy', (name) => {
  const text = JSON.stringify(JSON.parse(readFileSync(`docs/policies/${name}.json`, 'utf8')));
  expect(text.length).toBeLessThanOrEqual(CHARACTERS_MAX);
});

const FUNCTIONS_OF_STAGES = { 'lambda:FunctionArn': ['arn:aws:lambda:*:*:function:CartCheckout-*'] };

it.each(Object.entries(POLICIES))(
  'the policy %s changes event sources of no other functions',
  (_name, policy) => {
    const changing = policy.filter(({ Action }) =>
      Action.some((each) => /:(?!Get|List).*EventSource/.test(each)),
    );
    expect(changing.map(({ Condition }) => Condition)).toStrictEqual([{ ArnLike: FUNCTIONS_OF_STAGES }]);
  },
);

describe('the policy of operators', () => {
  /** The prefixes of actions that differ from the name of the client or of the command line. */
  const PREFIXES: Readonly<Record<string, string>> = {
    'api-gateway': 'apigateway',
    'cloudwatch-logs': 'logs',
    deploy: 'codedeploy',
    eventbridge: 'events',
  };

  /** The actions of operations whose action has another name. */
  const ACTIONS: Readonly<Record<string, readonly string[]>> = {
    'apigateway:GetAccount': ['apigateway:GET'],
    'apigateway:GetDomainName': ['apigateway:GET'],
    'dynamodb:BatchWrite': ['dynamodb:BatchWriteItem'],
    'dynamodb:Delete': ['dynamodb:DeleteItem'],
    'dynamodb:Get': ['dynamodb:GetItem'],
    'dynamodb:Put': ['dynamodb:PutItem'],
    'dynamodb:TransactWrite': ['ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map(
      (action) => `dynamodb:${action}`,
    ),
    'dynamodb:Update': ['dynamodb:UpdateItem'],
    'sqs:ChangeMessageVisibilityBatch': ['sqs:ChangeMessageVisibility'],
    'sqs:DeleteMessageBatch': ['sqs:DeleteMessage'],
    'sqs:SendMessageBatch': ['sqs:SendMessage'],
  };

  const actionOf = (service: string, operation: string): readonly string[] => {
    const action = `${PREFIXES[service] ?? service}:${operation}`;
    return ACTIONS[action] ?? [action];
  };

  /** The actions of the calls in the source of `npm run operate`, without that of the local stage. */
  const calledByOperate = async (): Promise<readonly string[]> => {
    const { metafile } = await build({
      entryPoints: ['infra/operate/main.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    const files = Object.keys(metafile.inputs).filter((path) => !path.startsWith('infra/local/'));
    const imports = files.flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/import \{([^}]*)\} from '@aws-sdk\/(?:client|lib)-([\w-]+)'/g),
    ]);
    return imports.flatMap(([, names = '', service = '']) =>
      [...names.matchAll(/\b(?:paginate(\w+)|(\w+)Command)\b/g)].flatMap(([, paginated, called]) =>
        (paginated ?? called)!.startsWith('Raw') ? [] : actionOf(service, (paginated ?? called)!),
      ),
    );
  };

  /** Actions of commands that the pages leave to an administrator. */
  const OF_AN_ADMINISTRATOR = new Set([
    'acm:ImportCertificate',
    'acm:RequestCertificate',
    'cloudformation:UpdateTerminationProtection',
  ]);

  /** The sections of `docs/upgrade.md` that print commands of AWS for on-call engineers. */
  const OF_DEPLOYMENTS = ['If a deployment fails', 'Stop a deployment', 'A rollback has failed'];

  /** The actions of the commands of AWS that the pages print for on-call engineers. A waiter calls an operation that they have too. */
  const printed = (): readonly string[] => {
    const sections = sectionsOf(readFileSync('docs/upgrade.md', 'utf8'));
    const pages = [
      readFileSync('docs/runbook.md', 'utf8'),
      ...OF_DEPLOYMENTS.map((name) => sections.get(name) ?? ''),
    ];
    return pages
      .flatMap((page) => [
        ...shellLinesOf(page),
        ...Array.from(page.matchAll(/`(aws [^`\n]+)`/g), ([, line = '']) => line),
      ])
      .flatMap((line) => /^aws ([\w-]+) (?!wait )([\w-]+) --/.exec(line)?.slice(1, 3).join(' ') ?? [])
      .flatMap((call) => actionOf(call.split(' ')[0]!, pascalCase(call.split(' ')[1]!)))
      .filter((action) => !OF_AN_ADMINISTRATOR.has(action));
  };

  /** Actions that the console calls for the queries and the dashboard of the runbook. */
  const IN_THE_CONSOLE = [
    'cloudwatch:DescribeAlarms',
    'cloudwatch:GetDashboard',
    'cloudwatch:GetMetricData',
    'cloudwatch:ListMetrics',
    'logs:DescribeLogGroups',
    'logs:GetQueryResults',
    'logs:StartQuery',
    'logs:StopQuery',
  ];

  /** The command `restore items` prints AWS commands with these actions. */
  const OF_RESTORE = ['dynamodb:RestoreTableToPointInTime', 'dynamodb:DeleteTable'];

  /**
   * Actions that need every resource, because their call names no stack: `stages list`, and a misspelled `--stage`.
   * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
   */
  const OF_ALL_STACKS = ['cloudformation:DescribeStacks', 'cloudformation:ListStacks'];

  it('has the actions of the commands and of the runbook, and no other', async () => {
    const called = [...(await calledByOperate()), ...OF_ALL_STACKS];
    const needed = new Set([...called, ...printed(), ...IN_THE_CONSOLE, ...OF_RESTORE]);
    expect(new Set(actionsOf(POLICIES.operators))).toStrictEqual(needed);
  });

  it('can list the stages of an account', () => {
    const everywhere = POLICIES.operators.filter(({ Resource }) => Resource.includes('*'));
    expect(actionsOf(everywhere)).toStrictEqual(expect.arrayContaining(OF_ALL_STACKS));
  });

  it('reads no key of another API', () => {
    const reading = POLICIES.operators.filter(({ Action }) => Action.includes('apigateway:GET'));
    const paths = reading.flatMap(({ Resource }) => Resource.map((arn) => arn.split('::')[1]));
    expect(paths).toStrictEqual(['/account', '/domainnames/*']);
  });

  it('can neither delete what a stage stores nor change who may do what', () => {
    const forbidden = /^(?:iam:(?!Get)|logs:(?:Delete|PutRetention)|kms:|sqs:Purge)|\*/;
    expect(actionsOf(POLICIES.operators).filter((action) => forbidden.test(action))).toStrictEqual([]);
    const deletion = POLICIES.operators.filter(({ Action }) => Action.includes('dynamodb:DeleteTable'));
    expect(deletion.map(({ Resource }) => Resource)).toStrictEqual([
      ['arn:aws:dynamodb:*:*:table/*-restored'],
    ]);
  });
});

describe('the policy of the execution role', () => {
  const templates: readonly Template[] = [branchStage, productionStage, fullStage].map(
    (stageOf) => stageOf().template,
  );
  const resources = templates.flatMap((template) =>
    Object.values(
      template.toJSON()['Resources'] as Readonly<
        Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
      >,
    ),
  );

  /** Services of a deployment besides those of its resources: the bucket of the bootstrap has the bundles. */
  const OF_A_DEPLOYMENT = ['s3'];

  it('has the services of the resources of a stage, and no other', () => {
    const services = resources.map(({ Type }) => Type.split('::')[1]!.toLowerCase());
    const prefixes = actionsOf(POLICIES.execution).map((action) => action.split(':')[0]);
    expect(new Set(prefixes)).toStrictEqual(new Set([...services, ...OF_A_DEPLOYMENT]));
  });

  it('passes roles to the services alone that take on the roles of a stage', () => {
    const passing = POLICIES.execution.find(({ Action }) => Action.includes('iam:PassRole'));
    const services = resources
      .filter(({ Type }) => Type === 'AWS::IAM::Role')
      .flatMap(({ Properties }) => JSON.stringify(Properties).match(/[\w-]+\.amazonaws\.com(?=")/g) ?? []);
    expect(new Set(passing?.Condition?.['StringEquals']?.['iam:PassedToService'])).toStrictEqual(
      new Set(services),
    );
  });

  it('gives rights to roles in a statement that can require a permissions boundary', () => {
    // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
    const bounded = /^iam:(?:(?:Attach|Detach|Delete|Put)RolePolicy|CreateRole|PutRolePermissionsBoundary)$/;
    const giving = POLICIES.execution.filter(({ Action }) => Action.some((each) => bounded.test(each)));
    expect(giving.map(({ Sid }) => Sid)).toStrictEqual(['RightsOfRoles']);
    expect(actionsOf(giving).filter((each) => !bounded.test(each))).toStrictEqual([]);
  });

  it('changes no role, table, function, queue or log group but those of stages', () => {
    const everywhere = POLICIES.execution.filter(({ Resource }) => Resource.includes('*'));
    const reach = /^(?:iam:(?!CreateServiceLinkedRole)|dynamodb|sqs|events|s3|lambda:.*Function)/;
    expect(actionsOf(everywhere).filter((action) => reach.test(action))).toStrictEqual([]);
  });
});
