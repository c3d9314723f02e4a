import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CART_LIFETIME, PERSONAL_DATA_DAYS_RANGE } from '../../infra/stages.ts';
import { TABLE_KINDS, tableIdOf } from '../../infra/tables.ts';
import { toEventItem } from '../../lib/events/event-item.ts';
import { RETENTION_SECONDS } from '../../lib/webhooks/delivery-store.ts';
import { event } from '../lib/events/events.ts';
import { rowsOf, sectionsOf } from './markdown.ts';

const DAY_SECONDS = 86_400;

const TABLES = rowsOf(sectionsOf(readFileSync('docs/privacy.md', 'utf8')).get('Tables')).slice(2);

const RECORDED_AT_MS = 1_000 * DAY_SECONDS;
const { deleteAtSeconds } = toEventItem({ ...event(1), recordedAtMs: RECORDED_AT_MS, startsRun: false });
const EVENT_DAYS = (deleteAtSeconds - RECORDED_AT_MS / 1_000) / DAY_SECONDS;

test('docs/privacy.md has a row for each table of a stage, and no other', () => {
  const names = TABLES.map(([name = '']) => name);
  expect(names.toSorted()).toStrictEqual(TABLE_KINDS.map(tableIdOf).toSorted());
});

test('docs/privacy.md states how long unpaid carts, events and deliveries are kept', () => {
  const times = new Map(TABLES.map(([name, , howLong]) => [name, howLong]));
  const [cartDays, deliveryDays] = [CART_LIFETIME.retentionSeconds, RETENTION_SECONDS].map(
    (seconds) => seconds / DAY_SECONDS,
  );
  expect(times.get('Carts')).toContain(`unpaid: until ${cartDays} days after the expiry`);
  expect(times.get('Events')).toContain(`${EVENT_DAYS} days; readers get it`);
  expect(times.get('Deliveries')).toContain(`${deliveryDays} days after the last attempt`);
});

test('no stage keeps an event about a completion for longer than the data of its cart', () => {
  expect(PERSONAL_DATA_DAYS_RANGE.min).toBeGreaterThan(EVENT_DAYS);
});
