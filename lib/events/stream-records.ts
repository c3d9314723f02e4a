import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type LoggedEvent, parseLogKey, type EventBody } from './logged-event.ts';

type Image = Readonly<Record<string, unknown>>;

/** The new image of an INSERT. `undefined` if the record has none that can be read. */
const newImage = (record: DynamoDBRecord): Image | undefined => {
  try {
    return unmarshall(record.dynamodb?.NewImage as Record<string, AttributeValue>);
  } catch {
    return undefined;
  }
};

const isEventBody = (body: unknown, id: unknown): boolean => {
  try {
    const event = JSON.parse(String(body)) as Partial<EventBody> | null;
    return event?.id === id && typeof event?.timestamp === 'string' && typeof event.data === 'object';
  } catch {
    return false;
  }
};

/**
 * The event of a record of the stream of the table `events`. Only an INSERT has one: `other` is a record of another kind, and
 * `malformed` one to set aside.
 */
export const parseEventRecord = (record: DynamoDBRecord): LoggedEvent | 'other' | 'malformed' => {
  if (record.eventName !== 'INSERT') return 'other';
  const { log, sequence, id, type, cartId, recordedAtMs, body } = newImage(record) ?? {};
  const texts = [log, id, type, body];
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return 'malformed';
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(recordedAtMs)) return 'malformed';
  if (!/^(?:live|test)#./.test(log as string) || !isEventBody(body, id)) return 'malformed';
  const event = { ...parseLogKey(log as string), sequence, id, type, cartId, recordedAtMs, body };
  return event as LoggedEvent;
};
