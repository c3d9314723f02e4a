import { hash } from 'node:crypto';
import type { Mode, StoreMode } from '../stores/mode.ts';

/** The JSON of an event: what merchants receive, by the feed and by webhooks. */
export interface EventBody {
  /** `evt_` and 32 hexadecimal digits. A change of a cart always has the same id. */
  readonly id: string;
  readonly type: string;
  /** When the service recorded the change, in ISO 8601. Timestamps increase in a log, unless a clock was wrong. */
  readonly timestamp: string;
  readonly data: object;
  /** Only a test event has it. No log has such an event. */
  readonly test?: true | undefined;
}

/** The partition key of the log of a store in one mode. The mode comes first, so that an IAM policy can select it. */
export const logKey = ({ storeId, mode }: StoreMode): string => `${mode}#${storeId}`;

/** Parses the key of {@link logKey}. */
export const parseLogKey = (key: string): StoreMode => {
  const mode: Mode = key.startsWith('live#') ? 'live' : 'test';
  return { mode, storeId: key.slice(mode.length + 1) };
};

/** An event in its log. */
export interface LoggedEvent extends StoreMode {
  /** The event before it in the log has the number below, unless it is the first one. */
  readonly sequence: number;
  /**
   * The number of the event before, if that event is too old to be read, or 0 if there is none. Readers at this number, or at a
   * lower one, continue with this event: they miss nothing that they could read.
   */
  readonly oldUntil?: number;
  readonly id: string;
  readonly type: string;
  /** The cart that changed. Absent for a change of something else. */
  readonly cartId?: string | undefined;
  readonly recordedAtMs: number;
  /** The JSON text of the {@link EventBody}: the very bytes that each reader receives. */
  readonly body: string;
}

/** A position in a log: the number and the time of an event. */
export type Position = Pick<LoggedEvent, 'sequence' | 'recordedAtMs'>;

/** The id of an event: `evt_` and 128 bits of the SHA-256 of a text that identifies it. */
export const eventIdFrom = (identity: string): string => `evt_${hash('sha256', identity).slice(0, 32)}`;

/** An event that is not in its log yet. */
export interface NewEvent extends StoreMode, Pick<LoggedEvent, 'id' | 'type' | 'cartId'> {
  /** The event as merchants receive it, if it is recorded at this time. */
  readonly bodyAt: (recordedAtMs: number) => EventBody;
}

/** Gives an event its number and time. */
export const loggedEvent = (
  { bodyAt, ...event }: NewEvent,
  sequence: number,
  recordedAtMs: number,
): LoggedEvent => ({ ...event, sequence, recordedAtMs, body: JSON.stringify(bodyAt(recordedAtMs)) });
