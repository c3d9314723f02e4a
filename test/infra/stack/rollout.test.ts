import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import {
  logNameOfFunction,
  logNameOf,
  type OperationName,
  OPERATIONS,
} from '../../../functions/operations.ts';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { branchStage, otherBranchStage, productionStage, target } from '../../support/stack/template.ts';

const branch = branchStage().template;
const production = productionStage().template;

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly UpdatePolicy?: unknown;
  readonly DependsOn?: string | readonly string[];
}

const resourcesOf = (template: Template): Readonly<Record<string, Resource>> =>
  template.toJSON()['Resources'] as Record<string, Resource>;

const ofType = (template: Template, type: string): [id: string, resource: Resource][] =>
  Object.entries(resourcesOf(template)).filter(([, { Type }]) => Type === type);

const API_FUNCTIONS = HTTP_FUNCTION_NAMES.map(pascalCase);

/** The resource whose id in the code is `id`. */
const find = (template: Template, type: string, id: string): [id: string, resource: Resource] => {
  const found = ofType(template, type).find(([logicalId]) => withoutHash(logicalId) === id);
  return found ?? ['', { Type: type, Properties: {} }];
};

/** Every resource that CloudFormation finishes before this one: by a reference, or by `DependsOn`. */
const before = (template: Template, start: string): ReadonlySet<string> => {
  const resources = resourcesOf(template);
  const seen = new Set<string>();
  const visit = (id: string): void => {
    const { Properties, DependsOn = [] } = resources[id]!;
    const references = JSON.stringify(Properties).matchAll(/"(?:Ref":"|Fn::GetAtt":\[")(\w+)"/g);
    for (const next of [...[...references].map(([, name]) => name!), ...[DependsOn].flat()]) {
      if (!(next in resources) || seen.has(next)) continue;
      seen.add(next);
      visit(next);
    }
  };
  visit(start);
  return seen;
};

describe('an API function', () => {
  it.each([
    ['a branch', () => branch],
    ['production', () => production],
  ])('is invoked by its alias alone, which has its current version: %s', (_, templateOf) => {
    const template = templateOf();
    const versions = ofType(template, 'AWS::Lambda::Version');
    const aliases = ofType(template, 'AWS::Lambda::Alias');
    expect(aliases.map(([, { Properties }]) => target(Properties['FunctionName'])).toSorted()).toStrictEqual(
      API_FUNCTIONS.toSorted(),
    );
    for (const [, { Properties }] of aliases) {
      expect(Properties['Name']).toBe('live');
      const [versionId] = (Properties['FunctionVersion'] as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
      const version = versions.find(([id]) => id === versionId)?.[1];
      expect(version?.Properties['FunctionName']).toStrictEqual(Properties['FunctionName']);
    }
    const aliasIds = new Set(aliases.map(([id]) => id));
    const proxies = ofType(template, 'AWS::ApiGateway::Method').filter(
      ([, { Properties }]) => (Properties['Integration'] as { Type: string }).Type === 'AWS_PROXY',
    );
    const invoked = proxies.map(
      ([, { Properties }]) =>
        /"Ref":"(\w+)"},"\/invocations"/.exec(JSON.stringify(Properties['Integration']))?.[1] ?? '',
    );
    expect(new Set(invoked)).toStrictEqual(aliasIds);
    const permitted = ofType(template, 'AWS::Lambda::Permission')
      .filter(([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com')
      .map(([, { Properties }]) => (Properties['FunctionName'] as { Ref: string }).Ref);
    expect(new Set(permitted)).toStrictEqual(aliasIds);
    expect(permitted).toHaveLength(proxies.length);
  });

  it('gets no new version while its code and its settings stay, and one for a changed setting', () => {
    const versionsOf = (template: Template): string[] =>
      ofType(template, 'AWS::Lambda::Version').map(([id]) => id);
    const versions = versionsOf(branch);
    const others = versionsOf(otherBranchStage().template);
    expect(others).toHaveLength(versions.length);
    // Only the expiry of carts is a setting of an API function.
    expect(others.filter((id) => !versions.includes(id))).toStrictEqual([
      expect.stringMatching(/^CreateCartCheckoutCurrentVersion/),
    ]);
  });

  it('keeps no old version: CloudFormation deletes it after the roll-out', () => {
    for (const [, version] of ofType(production, 'AWS::Lambda::Version')) {
      expect(version).not.toHaveProperty('DeletionPolicy', 'Retain');
    }
  });
});

describe('a roll-out in production', () => {
  it.each(API_FUNCTIONS)('shifts a tenth of the traffic for five minutes: %s', (id) => {
    const [aliasId, alias] = find(production, 'AWS::Lambda::Alias', `${id}Aliaslive`);
    const [groupId, group] = find(production, 'AWS::CodeDeploy::DeploymentGroup', `Rollout${id}`);
    const [applicationId] = find(production, 'AWS::CodeDeploy::Application', 'RolloutApplication');
    const alarmIds = (id === 'GetCart' ? [id, 'GetPaymentCart'] : [id]).map(
      (name) => find(production, 'AWS::CloudWatch::Alarm', `Rollout${name}Failures`)[0],
    );
    const [policyId] = find(production, 'AWS::IAM::Policy', 'RolloutRoleDefaultPolicy');
    expect(alias.UpdatePolicy).toStrictEqual({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: { Ref: applicationId },
        DeploymentGroupName: { Ref: groupId },
      },
    });
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
      AlarmConfiguration: { Enabled: true, Alarms: alarmIds.map((Ref) => ({ Name: { Ref } })) },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    // The alarms watch the new versions before the alias moves.
    const earlier = before(production, aliasId);
    const [versionId] = (alias.Properties['FunctionVersion'] as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
    expect([...earlier]).toStrictEqual(expect.arrayContaining([groupId, ...alarmIds, policyId, versionId]));
  });

  /** The metric of each name in the expression of an alarm, with its dimensions. */
  const metricsOf = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const metrics = properties['Metrics'] as readonly {
      readonly Id: string;
      readonly Expression?: string;
      readonly MetricStat?: {
        readonly Metric: {
          readonly MetricName: string;
          readonly Namespace: string;
          readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
        };
        readonly Period: number;
        readonly Stat: string;
      };
    }[];
    return Object.fromEntries(
      metrics.map(({ Id, Expression, MetricStat }) => {
        if (!MetricStat) return ['expression', Expression];
        const { Namespace, MetricName, Dimensions } = MetricStat.Metric;
        const text = `${Namespace} ${MetricName}, ${MetricStat.Stat} of ${MetricStat.Period} s`;
        return [Id, [text, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]))]];
      }),
    );
  };

  const ALARM = {
    Threshold: 0.01,
    ComparisonOperator: 'GreaterThanThreshold',
    EvaluationPeriods: 5,
    DatapointsToAlarm: 2,
    TreatMissingData: 'notBreaching',
  };

  it.each(HTTP_FUNCTION_NAMES)('counts all operations of merchants and buyers by one name: %s', (name) => {
    const served = (Object.keys(OPERATIONS) as OperationName[])
      .filter((each) => OPERATIONS[each].functionName === name && OPERATIONS[each].caller !== 'platform')
      .map((each) => logNameOf(each).operation);
    expect(new Set(served), 'give the operations the same loggedAs').toStrictEqual(
      new Set([logNameOfFunction(name)]),
    );
  });

  it.each(HTTP_FUNCTION_NAMES)('goes back if the new version fails in two minutes of five: %s', (name) => {
    const id = pascalCase(name);
    const [, { Properties }] = find(production, 'AWS::CloudWatch::Alarm', `Rollout${id}Failures`);
    const [, { Properties: alias }] = find(production, 'AWS::Lambda::Alias', `${id}Aliaslive`);
    const { FunctionName, FunctionVersion } = alias;
    expect(Properties).toMatchObject({
      ...ALARM,
      // A name of each version, so that the alarm starts without the state of the old version.
      AlarmName: { 'Fn::Join': ['', [`CartCheckout-prod-${id}-`, FunctionVersion]] },
    });
    // It has nothing to mend on its own: the deployment fails.
    expect(Properties).not.toHaveProperty('AlarmActions');
    const operation = logNameOfFunction(name);
    const ofAlias = {
      FunctionName,
      Resource: { 'Fn::Join': ['', [FunctionName, ':live']] },
      ExecutedVersion: FunctionVersion,
    };
    expect(metricsOf(Properties)).toStrictEqual({
      expression: '(FILL(failed,0)+FILL(crashed,0))/requests',
      failed: [
        'CartCheckout ServerErrors, Sum of 60 s',
        { stage: 'prod', operation, version: FunctionVersion },
      ],
      crashed: ['AWS/Lambda Errors, Sum of 60 s', ofAlias],
      requests: ['AWS/Lambda Invocations, Sum of 60 s', ofAlias],
    });
  });

  it("goes back if the new version fails the payment side's reads, which merchants' requests would hide", () => {
    const [, { Properties }] = find(production, 'AWS::CloudWatch::Alarm', 'RolloutGetPaymentCartFailures');
    const [, { Properties: alias }] = find(production, 'AWS::Lambda::Alias', 'GetCartAliaslive');
    const version = alias['FunctionVersion'];
    expect(Properties).toMatchObject({
      ...ALARM,
      AlarmName: { 'Fn::Join': ['', ['CartCheckout-prod-GetPaymentCart-', version]] },
    });
    expect(Properties).not.toHaveProperty('AlarmActions');
    const operation = { stage: 'prod', operation: 'getPaymentCart' };
    expect(metricsOf(Properties)).toStrictEqual({
      expression: '(FILL(failed,0)+FILL(crashed,0))/(FILL(requests,0)+FILL(crashed,0))',
      failed: ['CartCheckout ServerErrors, Sum of 60 s', { ...operation, version }],
      crashed: ['AWS/Lambda Errors, Sum of 60 s', expect.objectContaining({ ExecutedVersion: version })],
      requests: ['CartCheckout ClientErrors, SampleCount of 60 s', { ...operation, mode: 'none' }],
    });
  });

  it('has a role that changes the aliases of the API functions alone', () => {
    const [, policy] = find(production, 'AWS::IAM::Policy', 'RolloutRoleDefaultPolicy');
    const { Statement } = policy.Properties['PolicyDocument'] as {
      Statement: { Action: string | string[]; Resource: unknown }[];
    };
    const actions = Statement.map(({ Action, Resource }) => [
      [Action].flat().join(' '),
      [...new Set([Resource].flat().map(target))].toSorted().join(' '),
    ]);
    expect(actions).toStrictEqual([
      [
        'lambda:GetAlias lambda:GetProvisionedConcurrencyConfig lambda:UpdateAlias',
        API_FUNCTIONS.toSorted().join(' '),
      ],
      ['cloudwatch:DescribeAlarms', '"*"'],
    ]);
    production.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [Match.objectLike({ Principal: { Service: 'codedeploy.amazonaws.com' } })],
      },
      ManagedPolicyArns: Match.absent(),
    });
  });
});

describe('-c rollout=all-at-once', () => {
  it('leaves no part of CodeDeploy, which an emulator of AWS lacks', () => {
    expect(JSON.stringify(branch.toJSON())).not.toMatch(/CodeDeploy/);
    for (const [, alias] of ofType(branch, 'AWS::Lambda::Alias'))
      expect(alias).not.toHaveProperty('UpdatePolicy');
  });
});
