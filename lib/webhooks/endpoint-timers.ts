import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../dynamodb.ts';
import type { Timer } from '../timers/timer.ts';
import { probeTimer } from './delivery-timers.ts';
import { endpointKey, type EndpointWithState } from './endpoint-items.ts';
import type { EndpointRef } from './endpoint.ts';

/** The timers of endpoints. Both methods throw when DynamoDB is slow, throttles or is down. */
export interface EndpointTimers {
  /** Notes that deliveries of an endpoint are parked. It then has a timer, and a removal of an earlier timer fails. */
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
    notePark: (endpoint, nowMs) =>
      update(endpoint, {
        UpdateExpression: 'SET parkedAtMs = :now, timer = :timer, timerAtMs = if_not_exists(timerAtMs, :now)',
        // UpdateItem would create an endpoint that was removed.
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: {
          ':now': nowMs,
          ':timer': probeTimer(endpoint.endpointId, nowMs).timer,
        },
      }),

    set: (endpoint, { timer, timerAtMs }, atMs) => {
      const { parkedAtMs } = endpoint.state;
      const isUnchanged =
        parkedAtMs === undefined ? 'attribute_not_exists(parkedAtMs)' : 'parkedAtMs = :parked';
      return update(endpoint, {
        UpdateExpression: atMs === undefined ? 'REMOVE timer, timerAtMs' : 'SET timerAtMs = :later',
        ConditionExpression: `timer = :timer AND timerAtMs = :at AND ${isUnchanged}`,
        ExpressionAttributeValues: {
          ':timer': timer,
          ':at': timerAtMs,
          ...(parkedAtMs !== undefined && { ':parked': parkedAtMs }),
          ...(atMs !== undefined && { ':later': atMs }),
        },
      });
    },
  };
};
