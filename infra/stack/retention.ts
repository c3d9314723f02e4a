import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/**
 * The fate of a resource when its stack is deleted. A deployment that fails deletes what it created: plain `RETAIN` would leave
 * the empty tables, logs and queues of each attempt.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export const removalPolicyOf = (retainsData: boolean): RemovalPolicy =>
  retainsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** A log group of requests or of a function. */
export const addLogGroup = (scope: Construct, id: string, retainsData: boolean): LogGroup =>
  new LogGroup(scope, id, {
    retention: retainsData ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_WEEK,
    removalPolicy: removalPolicyOf(retainsData),
  });
