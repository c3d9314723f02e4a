import { expect, test } from 'vitest';
import { createRequest, exchange, historyOf, refused } from './check/histories.ts';
import { responseOf } from './history.ts';
import { describeViolation, summarize } from './table.ts';

test('a violation is told with the ids of the requests that show it', () => {
  const [first, second] = [exchange(createRequest(), refused('internal')), exchange(createRequest(), 'cut')];

  const text = describeViolation({ rule: 'a rule', detail: 'broken', exchanges: [first, second] });

  expect(text).toContain('by hand: a rule: broken');
  expect(text).toContain(`#${first.number} ${responseOf(first)?.headers['x-request-id']}`);
  expect(text).toContain(`#${second.number} no answer`);
});

test('the table counts violations by scenario, those without a request too', () => {
  const [first, second] = [
    exchange(createRequest(), refused('internal')),
    exchange(createRequest(), 'cut', { scenario: 'another' }),
  ];
  const violations = [
    { rule: 'a rule', detail: '', exchanges: [first] },
    { rule: 'a rule', detail: '', exchanges: [], scenario: 'another' },
    { rule: 'a rule', detail: '', exchanges: [second] },
  ];

  const rows = summarize(historyOf([first, second]), violations)
    .split('\n')
    .map((row) => row.split(/\s{2,}/));

  expect(rows).toStrictEqual([
    ['scenario', 'times', 'requests', 'in faults', 'slowest ms', 'violations', 'statuses'],
    ['by hand', '0', '1', '0', '10', '1', '500:1'],
    ['another', '0', '1', '0', '10', '2', 'cut:1'],
    ['all', '0', '2', '0', '10', '3', '500:1 cut:1'],
  ]);
});
