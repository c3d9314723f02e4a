import { afterEach, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { givenFaultyService } from '../../support/service/faulty-service.ts';
import { WORST_REQUESTS } from '../../support/service/worst-requests.ts';

// `npm run bench -- bodies` measures the CPU time of the same requests.

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts the steps of parsing and validation from now on. */
const countSteps = () => {
  const steps = { visitedValues: 0, checkedTexts: 0, longestUrl: 0 };
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) =>
    parse(text, function visit(this: unknown, ...value) {
      steps.visitedValues += 1;
      return reviver ? (reviver.apply(this, value) as unknown) : value[1];
    }),
  );
  const { isWellFormed } = String.prototype;
  vi.spyOn(String.prototype, 'isWellFormed').mockImplementation(function check(this: string) {
    steps.checkedTexts += 1;
    return isWellFormed.call(this);
  });
  const { canParse } = URL;
  vi.spyOn(URL, 'canParse').mockImplementation((url) => {
    steps.longestUrl = Math.max(steps.longestUrl, /^https?:\/\/([^/]*)/.exec(url)?.[1]?.length ?? 0);
    return canParse(url);
  });
  return steps;
};

it.each(Object.entries(WORST_REQUESTS))('the work for a request is bounded: %s', async (_, request) => {
  const { service } = givenFaultyService();
  const steps = countSteps();
  const { status, body } = await service.createCart(request.body, {
    apiKey: generateApiKey('test'),
    ...(request.headers && { headers: request.headers }),
  });
  const counted = { ...steps };
  vi.restoreAllMocks();

  // A body of 1,000 tokens has fewer than 500 values. The response and the log are parsed too.
  expect(counted.visitedValues).toBeLessThan(600);
  // The body, five fields, and the keys and values of 50 entries.
  expect(counted.checkedTexts).toBeLessThanOrEqual(106);
  expect(counted.longestUrl).toBeLessThanOrEqual(259);
  expect([201, 422]).toContain(status);
  expect((body['details'] as unknown[] | undefined)?.length ?? 1).toBeLessThanOrEqual(20);
});
