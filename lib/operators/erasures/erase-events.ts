import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { requireCartEvent } from '../../carts/cart-event.ts';
import { inParallel, WRITES_AT_ONCE } from '../../core/in-parallel.ts';
import { unlessConditionFails } from '../../database/conditional-writes.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { updateOf } from '../../database/expressions.ts';
import { eventRules, keepFields } from '../../erasures/erased-fields.ts';
import { bodyAttributeOf } from '../../events/event-types.ts';
import { type LoggedEvent, logKey } from '../../events/logged-event.ts';

/**
 * The JSON text of an event without the erased fields of its cart.
 *
 * @throws UnreadableItemError if the text is no event. The message does not quote it
 */
export const erasedEventBody = (body: string): string =>
  JSON.stringify(keepFields(requireCartEvent(body), eventRules()));

/**
 * Erases the buyer's data of events in the table `events`. Their carts must be erased before: a payment may record an event
 * with the data until then. Nothing is sent. A repetition changes nothing.
 *
 * @returns how many events it changed
 * @throws when DynamoDB is slow, throttles or is down
 */
export const eraseEvents = async (
  documents: DocumentClient,
  tableName: string,
  events: readonly LoggedEvent[],
): Promise<number> => {
  let erased = 0;
  await inParallel(events, WRITES_AT_ONCE, async (event) => {
    const body = erasedEventBody(event.body);
    if (body === event.body) return;
    const update = new UpdateCommand({
      TableName: tableName,
      Key: { log: logKey(event), sequence: event.sequence },
      // UpdateItem would create an event that TTL has deleted.
      ...updateOf(
        { set: { [bodyAttributeOf(event.type)]: body } },
        { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': event.id } },
      ),
    });
    if (await unlessConditionFails(documents.send(update))) erased += 1;
  });
  return erased;
};
