import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type LoggedEvent, parseLogKey, type EventBody } from './store-event.ts';

/** The result of parsing a record. `other`: the record is of another kind. `malformed`: set it aside. */
export type Parsed<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'other' | 'malformed' };

const MALFORMED = { kind: 'malformed' } as const;
const OTHER = { kind: 'other' } as const;

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

/** The event of a record of the stream of the table `events`. Only an INSERT has one. */
export const parseEventRecord = (record: DynamoDBRecord): Parsed<LoggedEvent> => {
  if (record.eventName !== 'INSERT') return OTHER;
  const { log, sequence, id, type, cartId, recordedAtMs, body } = newImage(record) ?? {};
  const texts = [log, id, type, body];
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return MALFORMED;
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(recordedAtMs)) return MALFORMED;
  if (!/^(?:live|test)#./.test(log as string) || !isEventBody(body, id)) return MALFORMED;
  const event = { ...parseLogKey(log as string), sequence, id, type, cartId, recordedAtMs, body };
  return { kind: 'valid', value: event as LoggedEvent };
};
