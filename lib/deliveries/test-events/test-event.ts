import { randomUUID } from 'node:crypto';
import { EVENT_TYPES, PING_TYPE } from '../../events/event-types.ts';
import { eventIdFrom, type LoggedEvent } from '../../events/logged-event.ts';
import type { Mode } from '../../stores/mode.ts';

/** A test event with the example of a type has this prefix before it: no delivery can pass for one of an event of a log. */
export const TEST_PREFIX = 'test.';

/** Whether the type is that of a test event. A live receiver gets none that looks like a payment. */
export const isTestType = (type: string, mode: Mode): boolean =>
  type === PING_TYPE || (mode === 'test' && EVENT_TYPES.some((each) => type === `${TEST_PREFIX}${each}`));

/**
 * A new test event. No log has it.
 *
 * @param tested in test mode, the type whose example to send. Default: `webhook.ping`
 */
export const newTestEvent = (
  recordedAtMs: number,
  tested: string = PING_TYPE,
): Pick<LoggedEvent, 'id' | 'type' | 'recordedAtMs'> => ({
  id: eventIdFrom(randomUUID()),
  type: tested === PING_TYPE ? tested : `${TEST_PREFIX}${tested}`,
  recordedAtMs,
});
