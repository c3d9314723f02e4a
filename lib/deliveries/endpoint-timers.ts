import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Documents, failedByItself } from '../core/documents.ts';
import { ContentionError, isTransactionConflict } from '../core/aws-errors.ts';
import { type Changes, type Condition, updateOf } from '../core/expressions.ts';
import { CONFLICT_PAUSES, retry } from '../core/retry.ts';
import { createTimerRepository, type DueItem, hasTimer } from '../timers/timer-repository.ts';
import { kindOf, TIMER_ATTRIBUTES, timerOf } from '../timers/timer.ts';
import {
  endpointKey,
  type EndpointWithState,
  existingEndpoint,
  EXISTS,
} from '../endpoints/endpoint-items.ts';
import type { EndpointRef } from '../endpoints/endpoint.ts';

/** The attributes of an endpoint that `run-due` names, besides its key. */
export const ENDPOINT_TIMER_ATTRIBUTES: readonly string[] = [...TIMER_ATTRIBUTES, 'parks', 'drainedParks'];

/** Afterwards, the messages return to the queue. */
const UPDATES_MAX = 6;

/** Returns the changed endpoint, or `undefined` if the condition is false. */
const createUpdate =
  (documents: Documents, tableName: string) =>
  async (
    Key: DueItem['key'],
    changes: Changes,
    condition: Condition,
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const input = { TableName: tableName, Key, ...updateOf(changes, condition) };
    const command = new UpdateCommand({
      ...input,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      return (await documents.send(command)).Attributes;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return changes.set && failedByItself(error, changes.set) ? unmarshall(error.Item ?? {}) : undefined;
    }
  };

/**
 * Updates an endpoint, although others write it in transactions, such as a rotation of its secret.
 *
 * @throws ContentionError if they always came first
 */
const createUpdateBesideOthers =
  (update: ReturnType<typeof createUpdate>): typeof update =>
  async (...input) => {
    const once = async () => {
      try {
        return { item: await update(...input) };
      } catch (error) {
        if (isTransactionConflict(error)) return undefined;
        throw error;
      }
    };
    const done = await retry(once, { ...CONFLICT_PAUSES, attemptsMax: UPDATES_MAX });
    if (!done) throw new ContentionError();
    return done.item;
  };

/**
 * The timers of endpoints, in the items of the table `webhookEndpoints`. An endpoint has one while deliveries to it are parked.
 * All methods throw when DynamoDB is slow, throttles or is down.
 */
export const createEndpointTimers = (documents: Documents, tableName: string) => {
  const update = createUpdate(documents, tableName);
  const updateBesideOthers = createUpdateBesideOthers(update);
  return {
    repository: createTimerRepository(documents, tableName),

    /**
     * Notes that deliveries of an endpoint were parked, which gives it a timer. Call it after they are stored.
     *
     * @returns the endpoint, or `undefined` if it was removed
     */
    async notePark(endpoint: EndpointRef, nowMs: number): Promise<EndpointWithState | undefined> {
      const { timer, timerAtMs } = timerOf(kindOf('probe', endpoint.mode), endpoint.endpointId, nowMs);
      // A timer that stays costs no write of the index.
      const changes = { set: { timer }, setIfMissing: { timerAtMs }, add: { parks: 1 } };
      // UpdateItem would create an endpoint that was removed.
      return existingEndpoint(
        await updateBesideOthers(endpointKey(endpoint), changes, { ConditionExpression: EXISTS }),
      );
    },

    /**
     * Moves the timer of an endpoint to a later time, so that one run at a time drains it.
     *
     * @returns the endpoint, or `undefined` if it was removed or has another timer by now
     * @throws an error of the item, too, if this release cannot read the endpoint
     */
    async claim(item: DueItem, timerAtMs: number): Promise<EndpointWithState | undefined> {
      const claimed = await update(item.key, { set: { timerAtMs } }, hasTimer(item));
      return existingEndpoint(claimed);
    },

    /** Ends the timer of an endpoint, unless a delivery was parked, or the endpoint has another timer. */
    async end(item: DueItem): Promise<void> {
      const { ConditionExpression, ExpressionAttributeValues } = hasTimer(item);
      await update(
        item.key,
        { remove: TIMER_ATTRIBUTES },
        {
          ConditionExpression: `${ConditionExpression} AND (attribute_not_exists(parks) OR parks = drainedParks)`,
          ExpressionAttributeValues,
        },
      );
    },
  };
};

export type EndpointTimers = ReturnType<typeof createEndpointTimers>;
