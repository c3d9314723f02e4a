import { Validations } from 'aws-cdk-lib';
import type { ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { COUNTER_SEQUENCE } from '../../../lib/events/event-counter.ts';
import { STREAM_BATCH_SIZE } from '../../stage/event-stream.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import { addQueue } from './queues.ts';

/** The most batches of a shard at the same time. The events of one log stay in order, one batch after the other. */
const BATCHES_AT_ONCE = 10;

/**
 * Adds the path by which recorded events leave the service: log, stream, function. The dead-letter queue has the keys of events
 * that the function could not handle.
 *
 * @param events the table of the events' log. Its stream carries new images
 * @param fanOutEvents sends each event to the bus and the webhooks. A record that it cannot handle becomes a dead letter
 */
export const addFanOut = (
  parent: Construct,
  { retainsData }: Pick<StageConfig, 'retainsData'>,
  events: TableV2,
  fanOutEvents: Function,
) => {
  const scope = new Construct(parent, 'FanOut');
  const eventDeadLetter = addQueue(scope, 'DeadLetters', retainsData);
  Validations.of(eventDeadLetter).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'No function reads this queue. An operator redrives its messages, as with dead letters.',
  });
  fanOutEvents.addEventSource(
    new DynamoEventSource(events as ITable, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      // Excludes the items that TTL deletes, and the counters of logs. The stream has numbers as texts.
      filters: [
        FilterCriteria.filter({
          eventName: ['INSERT'],
          dynamodb: { Keys: { sequence: { N: FilterRule.notEquals(String(COUNTER_SEQUENCE)) } } },
        }),
      ],
      batchSize: STREAM_BATCH_SIZE,
      parallelizationFactor: BATCHES_AT_ONCE,
      // Lambda retries a failed record until the stream drops it after 24 hours. A failure destination would get only
      // the record's sequence number.
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
    }),
  );
  return { eventDeadLetter };
};
