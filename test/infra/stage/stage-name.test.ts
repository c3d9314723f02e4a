import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeStageName } from '../../../infra/stage/stage-name.ts';

/** Faster than `fc.string({ unit: 'binary' })`, which takes a second to build. */
const ANY_TEXT = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((points) => String.fromCodePoint(...points));

describe('the name of a stage', () => {
  it.each(['prod', 'main', 'feature-1', 'a', 'x'.repeat(24)])('stays if it is valid: %s', (name) => {
    expect(safeStageName(name)).toBe(name);
  });

  it.each([
    ['feature/Add Carts', /^feature-add-c-[0-9a-f]{10}$/],
    ['PROD', /^prod-[0-9a-f]{10}$/],
    ['1234', /^stage-[0-9a-f]{10}$/],
    ['été', /^t-[0-9a-f]{10}$/],
    ['main-', /^main-[0-9a-f]{10}$/],
    ['', /^stage-[0-9a-f]{10}$/],
    ['x'.repeat(25), /^x{13}-[0-9a-f]{10}$/],
  ])('keeps the valid characters of %j and adds a hash', (text, expected) => {
    expect(safeStageName(text)).toMatch(expected);
  });

  it('is valid for any text, and a valid name stays', () => {
    fc.assert(
      fc.property(ANY_TEXT, (text) => {
        const name = safeStageName(text);
        expect(name).toMatch(/^[a-z][a-z0-9-]{0,22}[a-z0-9]$|^[a-z]$/);
        expect(safeStageName(name)).toBe(name);
      }),
    );
  });

  it('differs for long branch names with the same beginning', () => {
    const names = [1, 2, 3].map((n) => safeStageName(`feature/a-very-long-branch-name-${n}`));
    expect(new Set(names).size).toBe(3);
  });
});
