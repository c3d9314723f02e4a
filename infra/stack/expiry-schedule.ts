import { Duration } from 'aws-cdk-lib';
import type { ITable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type Function, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';

/**
 * The longest time that Lambda collects new carts. One item then holds the ids of many carts. A cart expires after 30
 * minutes or later, so nothing waits for this.
 */
const BATCHING_WINDOW = Duration.minutes(1);

/** Lambda's maximum. A batch also ends at 6 MB. */
const BATCH_SIZE = 10_000;

/** Selects new carts: neither payments nor claims of payments. */
const NEW_CARTS = FilterCriteria.filter({
  eventName: ['INSERT'],
  dynamodb: { NewImage: { expiresAtMs: { N: [{ exists: true }] } } },
});

/** Lets a function schedule the expiry of each new cart of these tables. Their streams carry new images. */
export const scheduleExpiries = (scheduler: Function, tables: readonly TableV2[]): void => {
  for (const table of tables) {
    scheduler.addEventSource(
      new DynamoEventSource(table as ITable, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [NEW_CARTS],
        batchSize: BATCH_SIZE,
        maxBatchingWindow: BATCHING_WINDOW,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
      }),
    );
  }
};
