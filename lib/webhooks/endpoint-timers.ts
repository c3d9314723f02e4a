import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Documents, unlessConditionFails } from '../core/documents.ts';
import { createTimerStore, type DueItem, type TimerStore } from '../timers/timer-store.ts';
import { TIMER_ATTRIBUTES, timerOf } from '../timers/timer.ts';
import { endpointKey, type EndpointWithState, fromEndpointItem } from './endpoint-items.ts';
import type { EndpointRef } from './endpoint.ts';

/** The attributes of an endpoint that the updates below name, besides its key. */
export const ENDPOINT_TIMER_ATTRIBUTES: readonly string[] = [...TIMER_ATTRIBUTES, 'parkedAtMs'];

/**
 * The timers of endpoints. An endpoint has one while deliveries to it are parked. All methods throw when DynamoDB is slow,
 * throttles or is down.
 */
export interface EndpointTimers {
  readonly store: TimerStore;

  /** Notes that deliveries of an endpoint were parked, which gives it a timer. Call it after they are stored. */
  notePark(endpoint: EndpointRef, nowMs: number): Promise<void>;

  /**
   * Moves the timer of an endpoint to a later time, so that one run at a time drains it.
   *
   * @returns the endpoint, or `undefined` if it was removed or has another timer by now
   * @throws an error of the item, too, if this release cannot read the endpoint
   */
  claim(item: DueItem, atMs: number): Promise<EndpointWithState | undefined>;

  /** Ends the timer of an endpoint, unless a delivery was parked after `parkedAtMs` or the endpoint has another timer by now. */
  end(item: DueItem, parkedAtMs: number): Promise<void>;
}

/** Timers in the items of the table `webhookEndpoints`. */
export const createEndpointTimers = (documents: Documents, tableName: string): EndpointTimers => {
  /** Returns the changed endpoint, or `undefined` if the condition is false. */
  const update = async (
    Key: UpdateCommandInput['Key'],
    input: Partial<UpdateCommandInput>,
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const command = new UpdateCommand({ TableName: tableName, Key, ...input, ReturnValues: 'ALL_NEW' });
    return (await unlessConditionFails(documents.send(command)))?.Attributes;
  };
  return {
    store: createTimerStore(documents, tableName),

    async notePark(endpoint, nowMs) {
      await update(endpointKey(endpoint), {
        // A timer that stays costs no write of the index.
        UpdateExpression: 'SET parkedAtMs = :now, timer = :timer, timerAtMs = if_not_exists(timerAtMs, :now)',
        // UpdateItem would create an endpoint that was removed.
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: {
          ':now': nowMs,
          ':timer': timerOf('probe', endpoint.endpointId, nowMs).timer,
        },
      });
    },

    async claim({ key, timer, timerAtMs }, atMs) {
      const item = await update(key, {
        UpdateExpression: 'SET timerAtMs = :later',
        ConditionExpression: 'timer = :timer AND timerAtMs = :at',
        ExpressionAttributeValues: { ':timer': timer, ':at': timerAtMs, ':later': atMs },
      });
      return item && fromEndpointItem(item);
    },

    async end({ key, timer, timerAtMs }, parkedAtMs) {
      await update(key, {
        UpdateExpression: 'REMOVE timer, timerAtMs',
        ConditionExpression: 'timer = :timer AND timerAtMs = :at AND parkedAtMs = :parked',
        ExpressionAttributeValues: { ':timer': timer, ':at': timerAtMs, ':parked': parkedAtMs },
      });
    },
  };
};
