import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PERSONAL_DATA_DAYS_RANGE } from '../../infra/stages.ts';
import { TABLE_KINDS } from '../../infra/tables.ts';
import { toEventItem } from '../../lib/events/event-item.ts';
import { event } from '../lib/events/events.ts';
import { rowsOf, sectionsOf } from './markdown.ts';

const DAY_SECONDS = 86_400;

/** The table's name, as in the stack: `testCarts` is `TestCarts`. */
const nameOf = (kind: string): string => kind.replace(/^./, (first) => first.toUpperCase());

test('docs/privacy.md has a row for each table of a stage, and no other', () => {
  const names = rowsOf(sectionsOf(readFileSync('docs/privacy.md', 'utf8')).get('Tables'))
    .slice(2)
    .map(([name = '']) => name);
  expect(names.toSorted()).toStrictEqual(TABLE_KINDS.map(nameOf).toSorted());
});

test('no stage keeps an event about a completion for longer than the data of its cart', () => {
  const recordedAtMs = 1_000 * DAY_SECONDS;
  const { deleteAtSeconds } = toEventItem({ ...event(1), recordedAtMs, startsRun: false });
  const eventDays = (deleteAtSeconds - recordedAtMs / 1_000) / DAY_SECONDS;
  expect(PERSONAL_DATA_DAYS_RANGE.min).toBeGreaterThan(eventDays);
});
