import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local-access/local-names.ts';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { stopProcesses } from '../../support/programs/processes.ts';
import { givenTwoStages, setClock, type TestStage } from '../../support/programs/stage-process.ts';
import { cartIdOf } from '../../support/service/http-client.ts';

const NOW_MS = Date.now();

let first: TestStage;
let second: TestStage;

beforeAll(async () => {
  [first, second] = await givenTwoStages();
});

afterAll(stopProcesses);

/** Stops the time. No test then depends on the speed of the machine. */
const standAt = (standsAtMs: number) =>
  Promise.all([first, second].map((stage) => setClock(stage, { standsAtMs })));

beforeEach(() => standAt(NOW_MS));

describe('the token bucket of two processes on one database', () => {
  /** A token every 72 s. */
  const SLOW = { limit: 20, windowSeconds: 1_440 };

  const use = (stage: TestStage, apiKey: string, index: number): Promise<ApiResponse> =>
    index % 2 === 0
      ? stage.getCart(randomUUID(), { apiKey })
      : stage.createCart(cartBody(stage.productId), { apiKey });

  /** Sends requests to both stages at once, then one at a time to the second one until it rejects one. */
  const exhaust = async (apiKey: string, requests: number) => {
    const burst = Array.from({ length: requests }, (_, index) =>
      use(index < requests / 2 ? first : second, apiKey, index),
    );
    const responses = await Promise.all(burst);
    do responses.push(await use(second, apiKey, 0));
    while (responses.at(-1)?.status !== 429);
    return responses;
  };

  /**
   * Expects that this many requests were admitted, and that all others got a complete 429. A busy machine may respond 503
   * to some: it is unknown which of those took a token.
   */
  const expectAdmitted = (responses: readonly ApiResponse[], tokens: number): void => {
    const count = { admitted: 0, rateLimited: 0, unavailable: 0 };
    for (const response of responses) {
      if (response.status === 429) {
        count.rateLimited += 1;
        expectError(response, 'rateLimited');
        expect(response.headers['x-ratelimit-remaining']).toBe('0');
      } else if (response.status === 503) {
        count.unavailable += 1;
      } else {
        count.admitted += 1;
        expect([201, 404]).toContain(response.status);
      }
    }
    expect(count.admitted).toBeLessThanOrEqual(tokens);
    expect(count.admitted + count.unavailable).toBeGreaterThanOrEqual(tokens);
    expect(count.rateLimited).toBeGreaterThan(0);
  };

  /** The bucket's debt in the database, in seconds after {@link NOW_MS}. */
  const storedDebtSeconds = async (apiKey: string): Promise<number> => {
    const documents = createDocumentClient(localClientConfig(first.dynamodbEndpoint));
    const key = { TableName: LOCAL_TABLE_NAMES.apiKeys, Key: { keyId: apiKeyId(apiKey) } };
    const { Item } = await documents.send(new GetCommand(key));
    return Number(Item?.['tatMicros']) / 1_000_000 - NOW_MS / 1_000;
  };

  test('admits exactly 20 of 60 requests at once, and one more at the reported second', async () => {
    const apiKey = await first.givenKey(SLOW);

    const responses = await exhaust(apiKey, 60);

    expectAdmitted(responses, 20);
    expect(await storedDebtSeconds(apiKey)).toBeCloseTo(20 * 72, 3);
    const waits = responses.map(({ headers }) => headers['retry-after']).filter((wait) => wait !== undefined);
    expect(new Set(waits.filter((wait) => wait !== '1'))).toEqual(new Set(['72']));

    await standAt(NOW_MS + 72_000 - 1);
    expectAdmitted(await exhaust(apiKey, 10), 0);

    await standAt(NOW_MS + 72_000);
    expectAdmitted(await exhaust(apiKey, 10), 1);
    expect(await storedDebtSeconds(apiKey)).toBeCloseTo(21 * 72, 3);
  });
});

test('16 equal requests at once with one idempotency key make one cart, and each response has it', async () => {
  // A live cart has the same payment address on both stages. A test cart has one on the stage that responds.
  const apiKey = await first.givenKey({ mode: 'live' });
  const request = { apiKey, headers: { 'Idempotency-Key': 'order-1' } };
  const stages = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? first : second));

  /** Retries a 503, as a client does: a busy machine may respond so. */
  const create = async (stage: TestStage): Promise<ApiResponse> => {
    const response = await stage.createCart(cartBody(stage.productId), request);
    return response.status === 503 ? create(stage) : response;
  };

  const responses = await Promise.all(stages.map(create));

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(responses.map(({ bodyText }) => bodyText)).size).toBe(1);
  // None, if the response of the creation was the 503.
  const created = responses.filter(({ headers }) => headers['idempotent-replayed'] !== 'true');
  expect(created.length).toBeLessThanOrEqual(1);
  expect((await second.getCart(cartIdOf(responses[0]!), { apiKey })).status).toBe(200);
});
