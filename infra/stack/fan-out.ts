import { Validations } from 'aws-cdk-lib';
import type { ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { addQueue } from './retention.ts';
import type { StageConfig } from '../stages.ts';

/** The most events of an invocation. */
const BATCH_SIZE = 100;

/** The most batches of a shard at the same time. The events of one log stay in order, one batch after the other. */
const BATCHES_AT_ONCE = 10;

export interface FanOutProps extends Pick<StageConfig, 'retainsData'> {
  /** The table of the events' log. Its stream carries new images. */
  readonly events: TableV2;
  /** Sends each event to the bus and the webhooks, and sets aside records that it cannot handle. */
  readonly fanOut: Function;
}

/** The path of recorded events out of the service: log, stream, function. */
export class FanOut extends Construct {
  /** The set-aside queue: the keys of events that the function could not handle. */
  readonly setAside: Queue;

  constructor(scope: Construct, id: string, { events, fanOut, retainsData }: FanOutProps) {
    super(scope, id);
    this.setAside = addQueue(this, 'SetAside', retainsData);
    Validations.of(this.setAside).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SQS3',
      reason: 'No function reads this queue. An operator redrives its messages, as with dead letters.',
    });
    fanOut.addEventSource(
      new DynamoEventSource(events as ITable, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        // Excludes the items that TTL deletes.
        filters: [FilterCriteria.filter({ eventName: ['INSERT'] })],
        batchSize: BATCH_SIZE,
        parallelizationFactor: BATCHES_AT_ONCE,
        // Lambda retries a failed record until the stream drops it after 24 hours. A failure destination would get only
        // the record's sequence number.
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
      }),
    );
  }
}
