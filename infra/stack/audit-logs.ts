import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { MERCHANT_AUDIT_STREAM } from '../../lib/endpoints/audit-log-stream.ts';
import { AUDIT_STREAM } from '../stage/audit-log-stream.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { removalPolicyOf } from './retention.ts';

/**
 * Adds the log of the operators' changes, and of merchants' changes of webhook endpoints. Commands write the first stream, and
 * no function may.
 */
export const addAuditLogs = (
  scope: Construct,
  { retainsData }: Pick<StageConfig, 'retainsData'>,
): LogGroup => {
  const removalPolicy = removalPolicyOf(retainsData);
  const logGroup = new LogGroup(scope, 'AuditLogs', {
    retention: retainsData ? RetentionDays.TWO_YEARS : RetentionDays.ONE_MONTH,
    removalPolicy,
  });
  new LogStream(scope, 'AuditStream', { logGroup, logStreamName: AUDIT_STREAM, removalPolicy });
  new LogStream(scope, 'MerchantAuditStream', {
    logGroup,
    logStreamName: MERCHANT_AUDIT_STREAM,
    removalPolicy,
  });
  new CfnOutput(scope, 'AuditLogGroup', { value: logGroup.logGroupName });
  return logGroup;
};

/** Lets a function write the stream of merchants' changes. */
export const permitMerchantAudit = (to: Function, logGroup: LogGroup): void => {
  to.addToRolePolicy(
    new PolicyStatement({
      actions: ['logs:PutLogEvents'],
      resources: [
        Stack.of(to).formatArn({
          service: 'logs',
          resource: 'log-group',
          resourceName: `${logGroup.logGroupName}:log-stream:${MERCHANT_AUDIT_STREAM}`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
    }),
  );
};
