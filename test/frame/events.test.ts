import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STATUS_CHANGED_FIELDS } from '../../infra/status-changed-event.ts';
import { parsePaymentEvent } from '../../lib/carts/payment-event.ts';

const EVENTS = readFileSync('docs/events.md', 'utf8');

test('the event that docs/events.md sends is one that can be recorded', () => {
  const [, entries = ''] = /--entries '([^']+)'/.exec(EVENTS) ?? [];
  const cartId = '45075ab2-c0c2-4a6d-89b4-3b442bbef853';
  const [entry] = JSON.parse(entries.replace('{cartId}', cartId)) as Record<string, string>[];
  const event = {
    'detail-type': entry?.['DetailType'],
    detail: JSON.parse(entry?.['Detail'] ?? '') as unknown,
  };
  expect(parsePaymentEvent(JSON.stringify(event))).toMatchObject({
    cartId,
    payment: { eventId: 'evt-1', result: 'succeeded', amount: 49.9, currency: 'EUR' },
  });
});

test('the change of status that docs/events.md shows has the fields that are told', () => {
  const [, shown = ''] = /```json\n([^`]+)```/.exec(EVENTS) ?? [];
  expect(Object.keys(JSON.parse(shown) as object)).toStrictEqual(Object.keys(STATUS_CHANGED_FIELDS));
});
