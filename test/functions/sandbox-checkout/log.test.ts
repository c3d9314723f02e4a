import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findSecrets } from '../../support/secrets.ts';
import { OUTAGES } from '../../support/faulty-service.ts';
import { givenSandbox, type PageResponse, type TestSandbox } from './sandbox.ts';

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await givenSandbox();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Sends one request, and returns its answer with the lines that it logged. */
const logged = async (send: () => Promise<PageResponse>) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const answer = await send();
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  return { answer, lines, entries: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('the log', () => {
  it('has one line per request, of the same shape as those of the API', async () => {
    const id = await sandbox.givenCart();
    for (const send of [() => sandbox.show(id), () => sandbox.submit(id, 'action=pay')]) {
      const { answer, lines, entries } = await logged(send);
      expect(entries).toStrictEqual([
        {
          level: 'INFO',
          message: 'completed',
          timestamp: expect.any(String),
          service: 'cart-checkout',
          operation: 'sandboxCheckout',
          requestId: answer.headers['x-request-id'],
          status: answer.status,
          durationMs: 0,
        },
      ]);
      expect(findSecrets(lines.join())).toStrictEqual([]);
    }
  });

  it.each([
    ['action=refund', 422, 'VALIDATION_ERROR'],
    ['action=pay', 404, 'INVALID_PRODUCT'],
  ])('tells the code of a refusal: %s', async (body, status, code) => {
    const { entries } = await logged(() => sandbox.submit('unknown', body));
    expect(entries).toMatchObject([{ message: 'completed', status, code }]);
  });

  it('tells an outage of the database and counts it, as the API does', async () => {
    const broken = await givenSandbox(() => ({ carts: { find: () => Promise.reject(OUTAGES.timeout()) } }));
    const id = await broken.givenCart();
    const { entries } = await logged(() => broken.show(id));
    expect(entries).toMatchObject([
      { DatabaseUnavailable: 1 },
      { message: 'failed', status: 503, code: 'SERVICE_UNAVAILABLE', cause: { name: 'TimeoutError' } },
    ]);
  });

  it('counts no payment of the sandbox, since nobody must be woken for a test', async () => {
    const id = await sandbox.givenCart();
    for (const action of ['wrong_amount', 'decline', 'pay_late']) {
      const { entries } = await logged(() => sandbox.submit(id, `action=${action}`));
      expect(entries).toHaveLength(1);
    }
  });
});
