import { expect, it } from 'vitest';
import {
  type DeliveryMessage,
  isQueueMessage,
  testMessageOf,
} from '../../../../lib/deliveries/queue/queue-message.ts';
import { fromStoredMessage } from '../../../../lib/deliveries/records/stored-message.ts';
import { testBody } from '../../../../lib/deliveries/test-events/test-body.ts';
import { EVENT_EXAMPLES } from '../../../../lib/event-catalogue/event-examples.ts';
import { logKey } from '../../../../lib/events/logged-event.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { NOW_MS } from '../../../support/clock.ts';

const TYPE = 'cart.completed';

const messageIn = (mode: Mode): DeliveryMessage =>
  testMessageOf({ storeId: 'store-1', mode, endpointId: 'we_1' }, NOW_MS, TYPE);

it('a test event of test mode has its type, the data of the example and the mark', () => {
  const message = messageIn('test');
  expect(isQueueMessage(message)).toBe(true);
  expect(JSON.parse(testBody(message, 'test'))).toStrictEqual({
    id: message.eventId,
    type: TYPE,
    timestamp: new Date(NOW_MS).toISOString(),
    data: EVENT_EXAMPLES[TYPE].data,
    test: true,
  });
});

it.each([
  ['live', `test.${TYPE}`],
  ['live', TYPE],
  ['test', TYPE],
  ['test', 'test.constructor'],
  ['test', 'test.cart.paid'],
] as const)('a forged message without a number causes a ping at most: %s, %s', (mode, type) => {
  const message = { ...messageIn(mode), type };
  expect(isQueueMessage(message)).toBe(false);
  expect(JSON.parse(testBody(message, mode))).toMatchObject({ type: 'webhook.ping', data: {} });
  const stored = { ...message, log: logKey(message.endpoint), nextAttempt: 1 };
  expect(() => fromStoredMessage(stored, 'we_1')).toThrow('sequence');
});

it('a parked test event keeps its type', () => {
  const { endpoint, attempt: nextAttempt, ...message } = messageIn('test');
  const stored = { ...message, log: logKey(endpoint), nextAttempt };
  expect(fromStoredMessage(stored, 'we_1')).toMatchObject({ type: `test.${TYPE}`, endpoint });
});
