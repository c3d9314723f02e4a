import { ContentionError } from '../../aws/errors.ts';
import type { ConditionalWrite } from '../../database/conditional-writes.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { attributesIn, endpointKey, existingEndpoint, EXISTS } from '../../endpoints/endpoint-item.ts';
import type { EndpointRef, EndpointWithState } from '../../endpoints/endpoint.ts';
import { createTimerRepository, type DueItem, timerCondition } from '../../timers/timer-repository.ts';
import { kindOf, TIMER_ATTRIBUTES, timerOf } from '../../timers/timer.ts';
import { createEndpointUpdate, type UpdateEndpoint } from '../leases/endpoint-update.ts';

/** The attributes of an endpoint that `run-timers` names, besides its key. */
export const ENDPOINT_TIMER_ATTRIBUTES = attributesIn('parking');

/** After a conflict, the next run retries. */
const ONCE = 1;

/**
 * The timers of endpoints, in the items of the table `webhookEndpoints`. An endpoint has one while deliveries to it are parked.
 * All methods throw when DynamoDB is slow, throttles or is down, and `ContentionError` if other writers always come first.
 */
export const createEndpointTimers = (documents: DocumentClient, tableName: string) => {
  const updateEndpoint = createEndpointUpdate(documents, tableName);
  /** Returns the changed endpoint, or `undefined` if the condition is false. */
  const update = async (...input: Parameters<UpdateEndpoint>): Promise<ConditionalWrite['item']> => {
    const updated = await updateEndpoint(...input);
    if (!updated) throw new ContentionError();
    return updated.applied ? updated.item : undefined;
  };
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
      return existingEndpoint(await update(endpointKey(endpoint), changes, { ConditionExpression: EXISTS }));
    },

    /**
     * Moves the timer of an endpoint to a later time, so that one run at a time drains it.
     *
     * @returns the endpoint, or `undefined` if it was removed or has another timer by now
     * @throws an error of the item, too, if this release cannot read the endpoint
     */
    async postpone(item: DueItem, timerAtMs: number): Promise<EndpointWithState | undefined> {
      return existingEndpoint(await update(item.key, { set: { timerAtMs } }, timerCondition(item), ONCE));
    },

    /** Ends the timer of an endpoint, unless a delivery was parked, or the endpoint has another timer. */
    async end(item: DueItem): Promise<void> {
      const { ConditionExpression, ExpressionAttributeValues } = timerCondition(item);
      await update(
        item.key,
        { remove: TIMER_ATTRIBUTES },
        {
          ConditionExpression: `${ConditionExpression} AND (attribute_not_exists(parks) OR parks = drainedParks)`,
          ExpressionAttributeValues,
        },
        ONCE,
      );
    },
  };
};

export type EndpointTimers = ReturnType<typeof createEndpointTimers>;
