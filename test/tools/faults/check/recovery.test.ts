import { describe, expect, test } from 'vitest';
import type { Exchange, FaultWindow, History } from '../history.ts';
import { checkHistory } from './check.ts';
import {
  createRequest,
  exchange,
  givenCart,
  historyOf,
  refused,
  retrieved,
  retrieveRequest,
  START_MS,
} from './histories.ts';

const CUT = 'a connection is cut only where its own process was killed';
const RECOVERS = 'the service recovers by itself within 5000 ms';
const SERVES = 'a process serves while another is down';
const NO_FAULT = 'no request fails without a fault';

const cart = givenCart();

const at = (fromMs: number, toMs: number, stage = 0): Partial<Exchange> => ({
  startedAtMs: START_MS + fromMs,
  endedAtMs: START_MS + toMs,
  stage,
});

const success = (fromMs: number, toMs: number, stage = 0): Exchange =>
  exchange(retrieveRequest(cart.id), retrieved(cart), at(fromMs, toMs, stage));

/** A fault from 1 s to 3 s. */
const fault = (victim: FaultWindow['victim']): FaultWindow => ({
  scenario: 'by hand',
  victim,
  fromMs: START_MS + 1_000,
  toMs: START_MS + 3_000,
});

const expectRules = (
  exchanges: readonly Exchange[],
  faults: readonly FaultWindow[],
  rules: readonly string[],
  changes: Partial<History> = {},
): void => {
  // The cart comes from before the history.
  const before = exchange(createRequest(), refused('serviceUnavailable'), at(1_000, 1_000));
  const history = historyOf([before, ...exchanges], { storedCarts: [cart], faults, ...changes });
  const found = checkHistory(history).filter(({ exchanges: [first] }) => first !== before);
  expect(found.map(({ rule }) => rule)).toStrictEqual(rules);
};

describe('a cut connection', () => {
  const cut = (fromMs: number, toMs: number, stage = 0) =>
    exchange(createRequest(), 'cut', at(fromMs, toMs, stage));

  test('is explained by the death of its own process, from before to after', () => {
    const exchanges = [cut(990, 1_000), cut(2_000, 2_010), cut(3_000, 3_010), success(3_010, 3_020)];
    expectRules(exchanges, [fault({ stage: 0 })], []);
  });

  test('is not explained by the death of another process', () => {
    const exchanges = [cut(2_000, 2_010, 1), success(2_000, 2_010, 1), success(3_010, 3_020)];
    expectRules(exchanges, [fault({ stage: 0 })], [CUT, NO_FAULT], { stages: 2 });
  });

  test('is not explained by a fault of the database', () => {
    expectRules([cut(2_000, 2_010), success(3_010, 3_020)], [fault('database')], [CUT]);
  });

  test('is not explained by a death that came later', () => {
    expectRules([cut(900, 999), success(3_010, 3_020)], [fault({ stage: 0 })], [CUT, NO_FAULT]);
  });
});

describe('recovery', () => {
  test('may take 5 s, counted to the end of the first request that succeeds', () => {
    expectRules([success(7_900, 8_000)], [fault('database')], []);
    expectRules([success(7_900, 8_001)], [fault('database')], [RECOVERS]);
  });

  test('does not count a request that began before the fault was over', () => {
    expectRules([success(2_999, 3_010)], [fault('database')], [RECOVERS]);
  });

  test('is asked of each process after a fault of the database', () => {
    expectRules([success(3_010, 3_020, 0)], [fault('database')], [RECOVERS], { stages: 2 });
  });

  test('is asked of a process that was killed, and of the others that they go on', () => {
    expectRules([success(3_010, 3_020, 1)], [fault({ stage: 0 })], [RECOVERS, SERVES], { stages: 2 });
  });
});

describe('a failure', () => {
  const failure = (fromMs: number, toMs: number, stage = 0) =>
    exchange(createRequest(), refused('serviceUnavailable'), at(fromMs, toMs, stage));

  test('is explained by a fault that it overlaps, and for 5 s after', () => {
    const exchanges = [failure(0, 1_000), success(3_010, 3_020), failure(8_000, 8_010)];
    expectRules(exchanges, [fault('database')], []);
  });

  test('is not explained before the fault, nor 5 s after', () => {
    const exchanges = [failure(0, 999), success(3_010, 3_020), failure(8_001, 8_010)];
    expectRules(exchanges, [fault('database')], [NO_FAULT, NO_FAULT]);
  });

  test('is not explained by the death of another process', () => {
    const exchanges = [failure(2_000, 2_010, 1), success(2_000, 2_010, 1), success(3_010, 3_020)];
    expectRules(exchanges, [fault({ stage: 0 })], [NO_FAULT], { stages: 2 });
  });
});
