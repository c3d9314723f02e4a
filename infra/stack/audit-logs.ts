import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { AUDIT_STREAM } from '../audit-stream.ts';
import type { StageConfig } from '../stages.ts';

/** Adds the log of the operators' changes. Commands write it, and no function may. */
export const addAuditLogs = (scope: Construct, { retainsData }: Pick<StageConfig, 'retainsData'>): void => {
  const removalPolicy = retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const logGroup = new LogGroup(scope, 'AuditLogs', {
    retention: retainsData ? RetentionDays.TWO_YEARS : RetentionDays.ONE_MONTH,
    removalPolicy,
  });
  new LogStream(scope, 'AuditStream', { logGroup, logStreamName: AUDIT_STREAM, removalPolicy });
  new CfnOutput(scope, 'AuditLogGroup', { value: logGroup.logGroupName });
};
