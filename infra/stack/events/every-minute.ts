import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const ONE_MINUTE = Duration.minutes(1);

/** The next run replaces a retry. */
const ONCE = { retryAttempts: 0, maxEventAge: ONE_MINUTE };

/**
 * Runs a function every minute. The limits of the rule concern EventBridge alone. By default, Lambda retries a failed run twice,
 * and keeps throttled ones for six hours.
 */
export const runEveryMinute = (scope: Construct, id: string, lambda: IFunction): void => {
  lambda.configureAsyncInvoke(ONCE);
  const target = new LambdaFunction(lambda, ONCE);
  new Rule(scope, id, { schedule: Schedule.rate(ONE_MINUTE), targets: [target] });
};
