import { describe, expect, it } from 'vitest';
import { isOpen, isSuccess, stateChangeOf } from '../../../lib/endpoints/breaker.ts';
import { NOW_MS } from '../../support/clock.ts';

const DAY_MS = 86_400_000;

describe('an attempt', () => {
  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [301, false],
    [400, false],
    [410, false],
    [500, false],
    [undefined, false],
  ])('with status %s is a success: %s', (status, success) => {
    expect(isSuccess(status)).toBe(success);
    expect(stateChangeOf({ failures: 3 }, { status, ms: 100 }, NOW_MS).outcome).toBe(
      success ? 'succeeded' : 'failed',
    );
  });
});

it.each([
  [1_999, true],
  [2_000, false],
])('a success after %i ms shows a quick receiver: %s', (ms, isQuick) => {
  expect(stateChangeOf({ failures: 0 }, { status: 200, ms }, NOW_MS)).toStrictEqual({
    outcome: 'succeeded',
    atMs: NOW_MS,
    isQuick,
  });
});

describe('the breaker', () => {
  it.each([
    [0, false],
    [4, false],
    [5, true],
    [6, true],
  ])('after %i failures in a row is open: %s', (failures, open) => {
    expect(isOpen({ failures })).toBe(open);
  });

  it.each([
    [4, 1],
    [5, 2],
    [6, 4],
    [7, 8],
    [8, 15],
    [9, 15],
    [1_000, 15],
  ])('with %i failures before, lets the next probe pass after %i minutes', (failures, minutes) => {
    expect(stateChangeOf({ failures }, { status: 500, ms: 100 }, NOW_MS)).toStrictEqual({
      outcome: 'failed',
      atMs: NOW_MS,
      probeAtMs: NOW_MS + minutes * 60_000,
    });
  });
});

describe('an endpoint is disabled', () => {
  it('by 410, at the first one', () => {
    expect(stateChangeOf({ failures: 0 }, { status: 410, ms: 100 }, NOW_MS)).toMatchObject({
      disabled: { atMs: NOW_MS, reason: 'gone', isUnreported: true },
    });
  });

  it.each([
    [0, 10, undefined],
    [5 * DAY_MS - 1, 10, undefined],
    [5 * DAY_MS, 10, { atMs: NOW_MS, reason: 'failing', isUnreported: true }],
    [5 * DAY_MS, 5, { atMs: NOW_MS, reason: 'failing', isUnreported: true }],
    // A quiet endpoint that failed once, days ago.
    [5 * DAY_MS, 4, undefined],
  ])('by a failure %i ms after the first of %i, and nothing else: %o', (failingMs, count, disabled) => {
    const state = { failures: count - 1, failingSinceMs: NOW_MS - failingMs };
    const change = stateChangeOf(state, { status: 500, ms: 100 }, NOW_MS);
    expect('disabled' in change ? change.disabled : undefined).toStrictEqual(disabled);
  });

  it('by no success', () => {
    const state = { failures: 9, failingSinceMs: NOW_MS - 9 * DAY_MS };
    expect(stateChangeOf(state, { status: 200, ms: 100 }, NOW_MS)).toMatchObject({ outcome: 'succeeded' });
  });
});
