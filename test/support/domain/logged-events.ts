import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { toEventItem } from '../../../lib/events/event-item.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { NOW_MS } from '../clock.ts';

/** The event with a number of the log of a store. */
export const event = (sequence: number, changes: Partial<LoggedEvent> = {}): LoggedEvent => {
  const id = `evt_${String(sequence).padStart(32, '0')}`;
  const type = 'cart.completed' as const;
  const data = { id: 'cart-1', status: 'completed' };
  return {
    storeId: 'store-1',
    mode: 'live',
    sequence,
    id,
    type,
    cartId: 'cart-1',
    recordedAtMs: NOW_MS + sequence,
    body: JSON.stringify({ id, type, timestamp: new Date(NOW_MS + sequence).toISOString(), data }),
    ...changes,
  };
};

/** Consecutive events, from number 1. */
export const events = (count: number): LoggedEvent[] =>
  Array.from({ length: count }, (_, index) => event(index + 1));

/** The record that the stream of events has of a new item. */
export const streamRecordOf = (item: object, sequenceNumber: string): DynamoDBRecord => {
  const image = marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>;
  const keys = Object.entries(image).filter(([name]) => name === 'log' || name === 'sequence');
  return {
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      ApproximateCreationDateTime: NOW_MS / 1_000,
      SequenceNumber: sequenceNumber,
      Keys: Object.fromEntries(keys),
      NewImage: image,
    },
  };
};

/** The record of an event. Its number in the stream is that of the log, after `s`. */
export const eventRecord = (logged: LoggedEvent): DynamoDBRecord =>
  streamRecordOf(toEventItem(logged), `s${logged.sequence}`);
