import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRfc3339 } from '../../../lib/core/timestamps.ts';

const NOON_MS = Date.UTC(2026, 0, 15, 12, 30);

describe('a timestamp of RFC 3339', () => {
  it.each([
    ['2026-01-15T12:30:00Z', NOON_MS],
    ['2026-01-15t12:30:00z', NOON_MS],
    ['2026-01-15T12:30:00-00:00', NOON_MS],
    ['2026-01-15T14:00:00+01:30', NOON_MS],
    ['2026-01-14T12:31:00-23:59', NOON_MS],
    ['2026-01-15T12:30:00.5Z', NOON_MS + 500],
    [`2026-01-15T12:30:00.${'9'.repeat(100)}Z`, NOON_MS + 999],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    // Leap seconds: Unix time counts them as the next second.
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2017-01-01T00:59:60.5+01:00', Date.UTC(2017, 0, 1) + 500],
  ])('is accepted: %s', (text, timeMs) => {
    expect(parseRfc3339(text)).toBe(timeMs);
  });

  it('is every time that JavaScript writes, at any offset', () => {
    const minutes = fc.integer({ min: -1_439, max: 1_439 });
    const times = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, minutes, (time, offset) => {
        const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const two = (value: number): string => String(value).padStart(2, '0');
        const text = `${local}${offset < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
        expect(parseRfc3339(text)).toBe(time.getTime());
      }),
    );
  });
});

describe('any other text is rejected', () => {
  it.each([
    '',
    '2026-01-15',
    '2026-01-15T12:30Z',
    '2026-01-15T12:30:00',
    '2026-01-15 12:30:00Z',
    '2026-01-15T12:30:00.Z',
    '2026-01-15T12:30:00,5Z',
    '2026-01-15T12:30:00+01',
    '2026-01-15T12:30:00+0100',
    '2026-01-15T12:30:00+24:00',
    '2026-01-15T12:30:00+01:60',
    '2026-01-15T24:00:00Z',
    '2026-01-15T12:60:00Z',
    '2026-01-15T12:30:61Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '+002026-01-15T12:30:00Z',
    ' 2026-01-15T12:30:00Z',
    '2026-01-15T12:30:00Z\n',
    '２026-01-15T12:30:00Z',
    // No leap second ends another minute than the last of a month in UTC.
    '2016-12-30T23:59:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+01:00',
  ])('%j', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });
});
