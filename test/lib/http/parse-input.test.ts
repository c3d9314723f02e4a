import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseWith } from '../../../lib/http/parse-input.ts';

const schema = z.object({
  headers: z.object({ 'idempotency-key': z.string().max(3, 'Too long').optional() }),
  body: z.object({
    email: z.string('Must be text'),
    meta: z.record(z.string().min(1, 'Must have a name'), z.string('Must be text')).optional(),
  }),
});

const detailsOf = (value: unknown) => {
  const parsed = parseWith(schema, value);
  return parsed.ok ? undefined : parsed.details;
};

describe('an input', () => {
  it('is what the schema makes of it', () => {
    const value = { headers: { host: 'a' }, body: { email: 'a', unknown: 1 } };
    expect(parseWith(schema, value)).toStrictEqual({
      ok: true,
      input: { headers: {}, body: { email: 'a' } },
    });
  });

  it("names a field of the body by the body's own path, and a header as a header", () => {
    const value = { headers: { 'idempotency-key': 'long' }, body: { email: 1, meta: { color: 2 } } };
    expect(detailsOf(value)).toStrictEqual([
      { path: 'headers.idempotency-key', message: 'Too long' },
      { path: 'email', message: 'Must be text' },
      { path: 'meta.color', message: 'Must be text' },
    ]);
  });

  it('is told what is wrong with the key of a record, not only that something is', () => {
    expect(detailsOf({ headers: {}, body: { email: 'a', meta: { '': 'b' } } })).toStrictEqual([
      { path: 'meta.', message: 'Must have a name' },
    ]);
  });

  it('names the body itself by an empty path', () => {
    expect(detailsOf({ headers: {}, body: 'text' })).toMatchObject([{ path: '' }]);
  });

  it('has the path of a fault told to 100 characters', () => {
    const details = detailsOf({ headers: {}, body: { email: 'a', meta: { ['k'.repeat(5_000)]: 1 } } });
    expect(details).toStrictEqual([{ path: `meta.${'k'.repeat(95)}`, message: 'Must be text' }]);
  });

  it('has at most its first 20 faults told', () => {
    const meta = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, i]));
    const details = detailsOf({ headers: {}, body: { email: 'a', meta } });
    expect(details).toHaveLength(20);
    expect(details?.[19]).toStrictEqual({ path: 'meta.key-19', message: 'Must be text' });
  });
});
