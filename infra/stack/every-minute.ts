import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const PERIOD = Duration.minutes(1);

/** Runs a function every minute. */
export const runEveryMinute = (scope: Construct, id: string, lambda: IFunction): Rule =>
  new Rule(scope, id, {
    schedule: Schedule.rate(PERIOD),
    // The next run replaces a retry.
    targets: [new LambdaFunction(lambda, { retryAttempts: 0, maxEventAge: PERIOD })],
  });
