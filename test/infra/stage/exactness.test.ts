import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { stopProcesses } from '../../support/processes.ts';
import { type ApiResponse, cartBody } from '../../support/service.ts';
import { givenTwoStages, setClock, type TestStage } from '../../support/stage.ts';

let first: TestStage;
let second: TestStage;

beforeAll(async () => {
  [first, second] = await givenTwoStages();
});

afterAll(stopProcesses);

/** Sends requests to a stage all at once: half of them retrieve an unknown cart, half create one. */
const burst = (stage: TestStage, apiKey: string, requests: number): Promise<ApiResponse>[] =>
  Array.from({ length: requests }, (_, index) =>
    index % 2 === 0
      ? stage.getCart(randomUUID(), { apiKey })
      : stage.createCart(cartBody(stage.productId), { apiKey }),
  );

const burstOnBoth = (apiKey: string, requests: number): Promise<ApiResponse[]> =>
  Promise.all([...burst(first, apiKey, requests / 2), ...burst(second, apiKey, requests / 2)]);

const OUTCOMES = new Set(['201 created', '404 INVALID_PRODUCT', '429 RATE_LIMITED']);

const outcomeOf = ({ status, body }: ApiResponse): string =>
  `${status} ${(body['code'] as string | undefined) ?? 'created'}`;

const denied = (answers: readonly ApiResponse[]): ApiResponse[] =>
  answers.filter(({ status }) => status === 429);

/** How many requests passed; expects that all others were refused with a whole 429, and that nothing else happened. */
const expectAdmitted = (answers: readonly ApiResponse[], limit: number): number => {
  expect(answers.map(outcomeOf).filter((outcome) => !OUTCOMES.has(outcome))).toEqual([]);
  for (const answer of denied(answers)) {
    expectError(answer, 'rateLimited');
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
    });
  }
  return answers.length - denied(answers).length;
};

describe('two processes on one database', () => {
  const LIMITS = { limit: 50, windowSeconds: 3_600 };
  const SECONDS_PER_TOKEN = 72;

  test('of 400 requests at once exactly 50 pass, and one more after the stated Retry-After', async () => {
    const startsAtMs = Date.now();
    await Promise.all([setClock(first, { offsetMs: 0 }), setClock(second, { offsetMs: 0 })]);
    const apiKey = await first.givenKey(LIMITS);

    const answers = await burstOnBoth(apiKey, 400);

    expect(expectAdmitted(answers, 50)).toBe(50);
    expect(denied(answers)).toHaveLength(350);
    const tookSeconds = Math.ceil((Date.now() - startsAtMs) / 1_000);
    const waits = denied(answers).map(({ headers }) => Number(headers['retry-after']));
    expect(Math.max(...waits)).toBeLessThanOrEqual(SECONDS_PER_TOKEN);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(SECONDS_PER_TOKEN - tookSeconds);

    const waited = { offsetMs: Math.max(...waits) * 1_000 };
    await Promise.all([setClock(first, waited), setClock(second, waited)]);
    expect(expectAdmitted(await burstOnBoth(apiKey, 40), 50)).toBe(1);
  });

  test('the next request passes at the stated second and not a moment before', async () => {
    const nowMs = Date.now();
    const standStill = (standsAtMs: number) =>
      Promise.all([setClock(first, { standsAtMs }), setClock(second, { standsAtMs })]);
    await standStill(nowMs);
    const apiKey = await first.givenKey(LIMITS);
    const answers = await burstOnBoth(apiKey, 60);
    expect(expectAdmitted(answers, 50)).toBe(50);
    expect(denied(answers).map(({ headers }) => headers['retry-after'])).toEqual(
      Array.from({ length: 10 }, () => '72'),
    );

    await standStill(nowMs + 72_000 - 1);
    expect(expectAdmitted(await burstOnBoth(apiKey, 10), 50)).toBe(0);

    await standStill(nowMs + 72_000);
    expect(expectAdmitted(await burstOnBoth(apiKey, 10), 50)).toBe(1);
  });
});

describe('two processes whose clocks are 30 s apart', () => {
  const SKEW_SECONDS = 30;
  /** One token a second, so that the skew is worth 30 of them. */
  const LIMITS = { limit: 40, windowSeconds: 40 };

  beforeAll(async () => {
    const nowMs = Date.now();
    await setClock(first, { standsAtMs: nowMs });
    await setClock(second, { standsAtMs: nowMs + SKEW_SECONDS * 1_000 });
  });

  test('admit exactly the limit of a bucket that refills slower than they are apart', async () => {
    const apiKey = await first.givenKey({ limit: 50, windowSeconds: 3_600 });

    expect(expectAdmitted(await burstOnBoth(apiKey, 120), 50)).toBe(50);
  });

  test('admit at once no more than the bucket allows in 30 s', async () => {
    const apiKey = await first.givenKey(LIMITS);

    const admitted = expectAdmitted(await burstOnBoth(apiKey, 160), 40);

    expect(admitted).toBeGreaterThanOrEqual(40);
    expect(admitted).toBeLessThanOrEqual(40 + SKEW_SECONDS);
  });

  test('admit no more than the bucket allows in 30 s when the late one goes first', async () => {
    const apiKey = await first.givenKey(LIMITS);

    expect(expectAdmitted(await Promise.all(burst(first, apiKey, 60)), 40)).toBe(40);
    expect(expectAdmitted(await Promise.all(burst(second, apiKey, 60)), 40)).toBe(SKEW_SECONDS);
    expect(expectAdmitted(await Promise.all(burst(first, apiKey, 10)), 40)).toBe(0);
  });

  test('admit no more than the limit when the early one goes first', async () => {
    const apiKey = await first.givenKey(LIMITS);

    expect(expectAdmitted(await Promise.all(burst(second, apiKey, 60)), 40)).toBe(40);
    expect(expectAdmitted(await Promise.all(burst(first, apiKey, 60)), 40)).toBe(0);
  });
});
