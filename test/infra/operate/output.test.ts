import { expect, test } from 'vitest';
import { declaredJson } from '../../../infra/operate/output.ts';

const AT_MS = Date.parse('2026-11-20T14:00:00Z');
const AT = '2026-11-20T14:00:00.000Z';

test('the JSON of a result has its declared fields only, with times in ISO 8601', () => {
  const form = 'id createdAt endsAt? rows(id at?) counts(live) items(id)? meta';
  const result = {
    id: 'one',
    createdAtMs: AT_MS,
    secret: 'undeclared',
    rows: [{ id: 'a', atMs: AT_MS, email: 'undeclared' }, { id: 'b' }],
    counts: { live: 1, test: 2 },
    meta: { sentAtMs: '5', other: 'kept' },
  };

  const json: unknown = JSON.parse(JSON.stringify(declaredJson(form, result)));

  expect(json).toStrictEqual({
    id: 'one',
    createdAt: AT,
    rows: [{ id: 'a', at: AT }, { id: 'b' }],
    counts: { live: 1 },
    meta: { sentAtMs: '5', other: 'kept' },
  });
});
