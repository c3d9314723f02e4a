import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeStageName, stageConfig } from '../../infra/stages.ts';

describe("a stage's name", () => {
  it.each(['prod', 'main', 'feature-1', 'a', 'x'.repeat(24)])('stays if it is safe already: %s', (name) => {
    expect(safeStageName(name)).toBe(name);
  });

  it.each([
    ['feature/Add Carts', /^feature-add-carts-[0-9a-f]{6}$/],
    ['PROD', /^prod-[0-9a-f]{6}$/],
    ['1234', /^stage-[0-9a-f]{6}$/],
    ['été', /^t-[0-9a-f]{6}$/],
    ['main-', /^main-[0-9a-f]{6}$/],
    ['', /^stage-[0-9a-f]{6}$/],
    ['x'.repeat(25), /^x{17}-[0-9a-f]{6}$/],
  ])('is made of what %j has that can be kept', (text, expected) => {
    expect(safeStageName(text)).toMatch(expected);
  });

  it('is safe for any text, and stays so', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = safeStageName(text);
        expect(name).toMatch(/^[a-z][a-z0-9-]{0,22}[a-z0-9]$|^[a-z]$/);
        expect(safeStageName(name)).toBe(name);
      }),
    );
  });

  it('tells long branches apart that begin alike', () => {
    const names = [1, 2, 3].map((n) => safeStageName(`feature/a-very-long-branch-name-${n}`));
    expect(new Set(names).size).toBe(3);
  });
});

describe('the configuration of a stage', () => {
  it('is durable in production alone', () => {
    const checkoutUrl = 'https://pay.example.com';
    expect(stageConfig({ stage: 'prod', checkoutUrl })).toMatchObject({
      isDurable: true,
      liveCheckoutUrl: checkoutUrl,
    });
    expect(stageConfig({ stage: 'production' }).isDurable).toBe(false);
    expect(stageConfig({ stage: 'main' }).isDurable).toBe(false);
  });

  it('is refused in one sentence if production does not say where buyers pay', () => {
    expect(() => stageConfig({ stage: 'prod' })).toThrow(
      'The stage prod takes real money: say where buyers pay, with -c checkoutUrl=https://...',
    );
  });

  it.each(['pay.example.com', 'https://pay.example.com/', 'https://a@b', 'ftp://pay.example.com'])(
    'is refused in one sentence if its checkout address is malformed: %s',
    (checkoutUrl) => {
      expect(() => stageConfig({ stage: 'main', checkoutUrl })).toThrow(
        'The checkoutUrl must be an http(s) address without query or trailing slash.',
      );
    },
  );
});
