import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { DATABASE_BUDGET_MS } from '../../../lib/database/documents.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { STORED } from '../../support/operations/stored.ts';
import {
  givenFaultyService,
  OUTAGES,
  THROTTLES,
  watchRejections,
} from '../../support/service/faulty-service.ts';
import type { TestService } from '../../support/service/service.ts';

let rejections: ReturnType<typeof watchRejections>;

beforeEach(() => {
  rejections = watchRejections();
});

afterEach(async () => {
  expect(await rejections.stop(), 'unhandled rejections').toStrictEqual([]);
});

const FAULTS = Object.entries({ ...THROTTLES, ...OUTAGES });

/** Sends a request with an idempotency key, under an API key of its own. */
const create = (service: TestService): Promise<ApiResponse> => {
  const headers = { 'Idempotency-Key': 'order-1' };
  return service.createCart(cartBody('course'), { apiKey: generateApiKey('test'), headers });
};

describe('the read of the idempotency secret', () => {
  it('may fail: no request without an Idempotency-Key needs it', async () => {
    const { send } = givenFaultyService(() => Promise.reject(new Error('down')));
    expect((await send('createCartCheckout')).status).toBe(201);
  });

  it.each(FAULTS)(
    'leads to 503 if it fails, and is repeated by the next request that needs it: %s',
    async (_, make) => {
      const secret = { down: true, reads: 0 };
      const { service, count } = givenFaultyService(() => {
        secret.reads += 1;
        return secret.down ? Promise.reject(make()) : { Item: STORED.secret };
      });
      expectError(await create(service), 'serviceUnavailable');
      expect([secret.reads, count('write')]).toStrictEqual([1, 0]);
      secret.down = false;
      expect((await create(service)).status).toBe(201);
      expect((await create(service)).status).toBe(201);
      expect(secret.reads).toBe(2);
    },
  );

  it('that hangs leads to 503 when the time of the request is up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { service, count } = givenFaultyService(() => new Promise(() => {}));
    const sent = create(service);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(DATABASE_BUDGET_MS);
    expectError(await sent, 'serviceUnavailable');
    expect(count('write')).toBe(0);
  });

  it.each([{}, { secret: 'text' }, { secret: new Uint8Array(31) }])(
    'of an invalid item leads to 500: %j',
    async (Item) => {
      const { service } = givenFaultyService(() => ({ Item }));
      expectError(await create(service), 'internal');
    },
  );
});
