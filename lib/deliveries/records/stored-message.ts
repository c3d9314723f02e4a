import { assertFields, assertReadable } from '../../database/readable-item.ts';
import { parseLogKey } from '../../events/logged-event.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import { isTestType } from '../test-events/test-event.ts';
import { DELIVERY_SCHEMA } from './delivery.ts';

/** The attributes of a delivery that its next message needs. */
export interface StoredMessage {
  readonly log: string;
  readonly eventId: string;
  readonly type: string;
  readonly recordedAtMs: number;
  /** A test event has none. */
  readonly sequence?: number | undefined;
  readonly nextAttempt: number;
}

const FIELDS = Object.entries({
  log: 'string',
  eventId: 'string',
  type: 'string',
  recordedAtMs: 'number',
  nextAttempt: 'number',
} satisfies Partial<Record<keyof StoredMessage, string>>);

/**
 * The message of a stored delivery.
 *
 * @throws UnreadableItemError if a later release stored it, or if a field is missing or has another type
 */
export const fromStoredMessage = (item: StoredMessage, endpointId: string): DeliveryMessage => {
  assertReadable(DELIVERY_SCHEMA, { ...item }, FIELDS);
  const { log, eventId, type, recordedAtMs, sequence, nextAttempt: attempt } = item;
  const endpoint = { ...parseLogKey(log), endpointId };
  if (!isTestType(type, endpoint.mode))
    assertFields(DELIVERY_SCHEMA.kind, { ...item }, [['sequence', 'number']]);
  return { endpoint, eventId, type, recordedAtMs, sequence, attempt };
};
