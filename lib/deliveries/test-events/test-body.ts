import { isoTime } from '../../core/timestamps.ts';
import { EVENT_EXAMPLES } from '../../event-catalogue/event-examples.ts';
import { PING_TYPE } from '../../events/event-types.ts';
import type { EventBody } from '../../events/logged-event.ts';
import type { Mode } from '../../stores/mode.ts';
import { isTestType, TEST_PREFIX } from './test-event.ts';

/** A test event, as its delivery names it. */
interface DeliveredTest {
  readonly eventId: string;
  readonly recordedAtMs: number;
  readonly type: string;
}

/**
 * The JSON text of a test event, which no log has. Its data is an example, because the message has none. In live mode, it is
 * always a `webhook.ping`: a forged message must not name another type.
 */
export const testBody = ({ eventId, recordedAtMs, type }: DeliveredTest, mode: Mode): string => {
  const tested = isTestType(type, mode) && type !== PING_TYPE ? type.slice(TEST_PREFIX.length) : PING_TYPE;
  const { data = {} } = (EVENT_EXAMPLES as Readonly<Record<string, Pick<EventBody, 'data'>>>)[tested] ?? {};
  const timestamp = isoTime(recordedAtMs);
  return JSON.stringify({ id: eventId, type: tested, timestamp, data, test: true } satisfies EventBody);
};
