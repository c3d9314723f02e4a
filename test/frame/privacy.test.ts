import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CART_LIFETIME, PERSONAL_DATA_DAYS, PERSONAL_DATA_DAYS_RANGE } from '../../infra/stages.ts';
import { type TableKind, TABLES } from '../../infra/tables.ts';
import { toEventItem } from '../../lib/events/event-item.ts';
import { RETENTION_SECONDS } from '../../lib/webhooks/delivery-store.ts';
import { event } from '../lib/events/events.ts';
import { rowsOf, sectionsOf } from './markdown.ts';

const DAY_SECONDS = 86_400;

const sections = sectionsOf(readFileSync('docs/privacy.md', 'utf8'));

/** The table's name, as in the stack: `testCarts` is `TestCarts`. */
const nameOf = (kind: string): string => kind.replace(/^./, (first) => first.toUpperCase());

test('docs/privacy.md has a row for each table of a stage, and no other', () => {
  const names = rowsOf(sections.get('Tables'))
    .slice(2)
    .map(([name = '']) => name);
  expect(names.toSorted()).toStrictEqual((Object.keys(TABLES) as TableKind[]).map(nameOf).toSorted());
});

test('docs/privacy.md states the default of the retention and its range', () => {
  const { min, max } = PERSONAL_DATA_DAYS_RANGE;
  const range = `${PERSONAL_DATA_DAYS} by default, ${min} to ${max.toLocaleString('en')}`;
  expect(sections.get('Retention')).toContain(range);
});

test('docs/privacy.md states how long unpaid carts and deliveries are kept', () => {
  const times = new Map(rowsOf(sections.get('Tables')).map(([name, , howLong]) => [name, howLong]));
  const [cartDays, deliveryDays] = [CART_LIFETIME.retentionSeconds, RETENTION_SECONDS].map(
    (s) => s / DAY_SECONDS,
  );
  expect(times.get('Carts')).toContain(`unpaid: until ${cartDays} days after the expiry`);
  expect(times.get('Deliveries')).toContain(`${deliveryDays} days after the last attempt`);
});

test('no stage keeps an event about a completion for longer than the data of its cart', () => {
  const recordedAtMs = 1_000 * DAY_SECONDS;
  const { deleteAtSeconds } = toEventItem({ ...event(1), recordedAtMs, startsRun: false });
  const eventDays = (deleteAtSeconds - recordedAtMs / 1_000) / DAY_SECONDS;
  expect(sections.get('Tables')).toContain(`${eventDays} days; readers get it`);
  expect(PERSONAL_DATA_DAYS_RANGE.min).toBeGreaterThan(eventDays);
});
