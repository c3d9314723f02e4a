import { Duration } from 'aws-cdk-lib';

/** The longest retention of SQS, so that operators have time to handle a message. */
export const QUEUE_RETENTION = Duration.days(14);
