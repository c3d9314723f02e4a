import { describe, expect, it } from 'vitest';
import { exactNumber } from '../../../../infra/operate/frame/exact-number.ts';

describe('the text of a number', () => {
  it.each([
    ['19.99', 19.99],
    ['0019.990000000000000000', 19.99],
    ['-5', -5],
    ['0.00000000000001', 1e-14],
    ['123456789012345', 123_456_789_012_345],
    ['10000000000000000', 1e16],
    ['99.990000000000001', undefined],
    ['1234567890123.450000000000001', undefined],
    ['0.1234567890123456', undefined],
    ['1e3', undefined],
    ['.5', undefined],
    ['5.', undefined],
    ['', undefined],
  ])('%s is %s: a double keeps each digit', (text, expected) => {
    expect(exactNumber(text)).toBe(expected);
  });
});
