import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  logNameOfFunction,
  type HttpFunctionName,
  type OperationName,
  OPERATIONS,
} from '../../functions/operations.ts';
import { addAlarm, SERVER_ERROR_RATE_MAX } from './alarms/alarm.ts';
import { requestMetric } from './alarms/metrics.ts';
import type { ServiceFunction } from './functions/service-function.ts';

/** The alias that the gateway invokes. */
export const ALIAS_NAME = 'live';

/** An API function behind its alias. */
interface AliasedFunction {
  readonly name: HttpFunctionName;
  readonly lambda: ServiceFunction;
  readonly alias: Alias;
}

const ONE_MINUTE = Duration.minutes(1);

const TOO_MANY = `more than ${100 * SERVER_ERROR_RATE_MAX} percent`;

/**
 * On a quiet stage, one stray failure is a large share of the few requests to a new version. It fails only one minute.
 *
 * A version that fails every request is caught only if it gets some in two of the five minutes. With a tenth of one request a
 * minute, the chance is 8 percent. `docs/operate.md`, "Roll-out", has more, and the remedy.
 */
const MINUTES = { failing: 2, evaluated: 5 } as const;

/** A metric of Lambda for the requests to a new version. */
const ofVersion = (
  { functionName, currentVersion }: ServiceFunction,
  metricName: 'Errors' | 'Invocations',
): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: {
      FunctionName: functionName,
      Resource: `${functionName}:${ALIAS_NAME}`,
      ExecutedVersion: currentVersion.version,
    },
    statistic: Stats.SUM,
    period: ONE_MINUTE,
  });

/** The share of a new version's requests that failed, from 0 to 1. It has no value without requests. */
const versionFailureRate = (stage: string, { name, lambda }: AliasedFunction): MathExpression => {
  const { version } = lambda.currentVersion;
  return new MathExpression({
    expression: '(FILL(failed,0)+FILL(crashed,0))/requests',
    usingMetrics: {
      failed: requestMetric(
        stage,
        'ServerErrors',
        { operation: logNameOfFunction(name), version },
        Stats.SUM,
        ONE_MINUTE,
      ),
      // A function that crashes or times out writes no log line.
      crashed: ofVersion(lambda, 'Errors'),
      requests: ofVersion(lambda, 'Invocations'),
    },
    label: 'Share of failed requests of the version',
    period: ONE_MINUTE,
  });
};

/**
 * The share of the payment side's reads that a new version failed, from 0 to 1. Merchants' requests to the same function
 * are so many that an outage of these reads would be less than a percent. Nothing counts them by version, so the share is
 * of the reads of all versions. Nothing counts crashes by operation: each counts as one of a read.
 */
const paymentSideFailureRate = (stage: string, { lambda }: AliasedFunction): MathExpression => {
  const operation: OperationName = 'getPaymentCart';
  const { version } = lambda.currentVersion;
  return new MathExpression({
    expression: '(FILL(failed,0)+FILL(crashed,0))/(FILL(requests,0)+FILL(crashed,0))',
    usingMetrics: {
      failed: requestMetric(stage, 'ServerErrors', { operation, version }, Stats.SUM, ONE_MINUTE),
      crashed: ofVersion(lambda, 'Errors'),
      // Every request has ClientErrors, as 0 or 1.
      requests: requestMetric(
        stage,
        'ClientErrors',
        { operation, mode: 'none' },
        Stats.SAMPLE_COUNT,
        ONE_MINUTE,
      ),
    },
    label: "Share of the payment side's reads that the version failed",
    period: ONE_MINUTE,
  });
};

/**
 * Shifts traffic to a new version of an API function in two steps: a tenth, and after five minutes the rest. If more than
 * one percent of a new version's requests fail with a server error, CodeDeploy returns its function to the old version.
 * CloudFormation then rolls the whole stack back.
 */
export class TenPercentRollout extends Construct {
  readonly #functions: readonly AliasedFunction[];

  constructor(scope: Construct, id: string, stage: string, functions: readonly AliasedFunction[]) {
    super(scope, id);
    this.#functions = functions;
    const application = new LambdaApplication(this, 'Application');
    const role = this.#role();
    for (const each of functions) {
      const { name, lambda, alias } = each;
      const functionId = lambda.node.id;
      const alarms = [
        this.#alarm(functionId, each, versionFailureRate(stage, each), `${TOO_MANY} of its requests failed`),
      ];
      if (name === OPERATIONS.getPaymentCart.functionName) {
        const rate = paymentSideFailureRate(stage, each);
        alarms.push(
          this.#alarm('GetPaymentCart', each, rate, `it failed ${TOO_MANY} of the payment side's reads`),
        );
      }
      const group = new LambdaDeploymentGroup(this, functionId, {
        application,
        role: role.withoutPolicyUpdates(),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alias,
        alarms,
      });
      // CloudFormation does not order resources by the references of an update policy. The group does not depend on the
      // policy of its role either.
      alias.node.addDependency(group, role);
    }
  }

  /** Adds the role of CodeDeploy. The managed policy would permit changes of every alias of the account. */
  #role(): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    const functions = this.#functions.flatMap(({ lambda }) => [
      lambda.functionArn,
      `${lambda.functionArn}:${ALIAS_NAME}`,
    ]);
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: functions,
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy reads the states of alarms, as with its managed policy. This changes nothing.',
    });
    return role;
  }

  #alarm(id: string, { lambda }: AliasedFunction, metric: MathExpression, reason: string): Alarm {
    const { stack, currentVersion } = lambda;
    const definition = {
      metric,
      above: SERVER_ERROR_RATE_MAX,
      periods: MINUTES.evaluated,
      breaching: MINUTES.failing,
      effect: `During a roll-out, CodeDeploy rolls the version back: ${reason} in ${MINUTES.failing} of ${MINUTES.evaluated} minutes.`,
    };
    return addAlarm(this, `${id}Failures`, definition, 'RolloutFailures', {
      // Each version has its own alarm. A shared one would keep the state of the old version, and stop the release that
      // fixes it.
      alarmName: `${stack.stackName}-${id}-${currentVersion.version}`,
    });
  }
}
