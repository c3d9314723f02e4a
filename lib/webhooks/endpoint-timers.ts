import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../dynamodb.ts';
import { createTimerStore, type TimerStore } from '../timers/timer-store.ts';
import { type Timer, timerOf } from '../timers/timer.ts';
import { endpointKey, type EndpointWithState } from './endpoint-items.ts';
import type { EndpointRef } from './endpoint.ts';

/**
 * The timers of endpoints. An endpoint has one while deliveries to it are parked. All methods throw when DynamoDB is slow,
 * throttles or is down.
 */
export interface EndpointTimers {
  readonly store: TimerStore;

  /** Notes that deliveries of an endpoint were parked, which gives it a timer. Call it after they are stored. */
  notePark(endpoint: EndpointRef, nowMs: number): Promise<void>;

  /**
   * Moves the timer of an endpoint, or ends it. Does nothing if the endpoint has another timer by now, or if a delivery was
   * parked since the endpoint was read.
   *
   * @param atMs ends the timer if it is `undefined`
   */
  set(endpoint: EndpointWithState, seen: Timer, atMs: number | undefined): Promise<void>;
}

/** Timers in the items of the table `webhookEndpoints`. */
export const createEndpointTimers = (documents: Documents, tableName: string): EndpointTimers => {
  const update = async (endpoint: EndpointRef, input: Partial<UpdateCommandInput>): Promise<void> => {
    try {
      const Key = endpointKey(endpoint);
      await documents.send(new UpdateCommand({ TableName: tableName, Key, ...input }));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };
  return {
    store: createTimerStore(documents, tableName),

    notePark: (endpoint, nowMs) =>
      update(endpoint, {
        // A timer that stays costs no write of the index.
        UpdateExpression: 'SET parkedAtMs = :now, timer = :timer, timerAtMs = if_not_exists(timerAtMs, :now)',
        // UpdateItem would create an endpoint that was removed.
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: {
          ':now': nowMs,
          ':timer': timerOf('probe', endpoint.endpointId, nowMs).timer,
        },
      }),

    set: (endpoint, { timer, timerAtMs }, atMs) =>
      update(endpoint, {
        UpdateExpression: atMs === undefined ? 'REMOVE timer, timerAtMs' : 'SET timerAtMs = :later',
        ConditionExpression: 'timer = :timer AND timerAtMs = :at AND parkedAtMs = :parked',
        ExpressionAttributeValues: {
          ':timer': timer,
          ':at': timerAtMs,
          ':parked': endpoint.state.parkedAtMs ?? 0,
          ...(atMs !== undefined && { ':later': atMs }),
        },
      }),
  };
};
