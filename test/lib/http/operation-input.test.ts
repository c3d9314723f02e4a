import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { namesIn, parseWith } from '../../../lib/http/operation-input.ts';

const schema = z.object({
  headers: z.object({ 'idempotency-key': z.string().max(3, 'Too long').optional() }),
  body: z.object({
    email: z.string('Must be text'),
    meta: z.record(z.string().min(1, 'Must have a name'), z.string('Must be text')).optional(),
  }),
});

const issuesOf = (body: unknown, headers: object = {}) => {
  const parsed = parseWith(schema, { headers, body });
  return parsed.ok ? undefined : parsed.details;
};

describe('an input', () => {
  it('is the output of the schema', () => {
    const value = { headers: { host: 'a' }, body: { email: 'a', unknown: 1 } };
    const input = { headers: {}, body: { email: 'a' } };
    expect(parseWith(schema, value)).toStrictEqual({ ok: true, input });
  });

  it("has issues with the body's own path, or a header's, and those of a record's keys", () => {
    expect(issuesOf({ email: 1, meta: { color: 2 } }, { 'idempotency-key': 'long' })).toStrictEqual([
      { path: 'headers.idempotency-key', message: 'Too long' },
      { path: 'email', message: 'Must be text' },
      { path: 'meta.color', message: 'Must be text' },
    ]);
    expect(issuesOf('text')).toMatchObject([{ path: '' }]);
    const issue = { path: 'meta.', message: 'Must have a name' };
    expect(issuesOf({ email: 'a', meta: { '': 'b' } })).toStrictEqual([issue]);
  });

  it.each([
    ['🙂'.repeat(95), '🙂'.repeat(95)],
    [`x${'🙂'.repeat(500)}`, `x${'🙂'.repeat(94)}`],
    ['\ud83d', '\ufffd'],
    [`${'a'.repeat(94)}\ud83d`, `${'a'.repeat(94)}\ufffd`],
    [`\udc00${'a'.repeat(500)}`, `\ufffd${'a'.repeat(94)}`],
  ])('has well-formed paths of at most 100 characters: meta.%s', (key, shown) => {
    expect(issuesOf({ email: 'a', meta: { [key]: 1 } })).toStrictEqual([
      { path: `meta.${shown}`, message: 'Must be text' },
    ]);
  });

  it('has at most 20 issues, with paths of at most 100 characters', () => {
    const meta = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(5_000, '-'), i]));
    const issues = issuesOf({ email: 'a', meta });
    const path = 'meta.19'.padEnd(100, '-');
    expect(issues).toHaveLength(20);
    expect(issues?.[19]).toStrictEqual({ path, message: 'Must be text' });
  });
});

describe('the names of an input', () => {
  const body = mini.pipe(
    mini.object({ url: mini.string() }),
    mini.transform(({ url }) => url),
  );

  it('are those of its parts, also of those that a transform changes', () => {
    const query = mini.object({ limit: mini.string() });
    expect(namesIn(mini.object({ body, query }))).toStrictEqual({
      body: ['url'],
      query: ['limit'],
      headers: [],
    });
  });

  it('are not empty by mistake: a part without fields is an error', () => {
    expect(() => namesIn(mini.object({ body: mini.optional(body) }))).toThrow('is no object');
  });
});
