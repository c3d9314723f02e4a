import { describe, expect, it } from 'vitest';
import { hashSource } from '../../../lib/http/source-hash.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { findSecrets } from '../../support/secrets.ts';
import { OUTAGES } from '../../support/service/faulty-service.ts';
import { givenSandbox } from './sandbox.ts';

const sandbox = await givenSandbox();

describe('the log', () => {
  it.each([
    ['GET', 200, (id: string) => sandbox.show(id)],
    ['POST', 303, (id: string) => sandbox.submit(id, 'action=pay')],
  ])('has one line per request: %s', async (method, status, send) => {
    const id = await sandbox.givenCart();
    let requestId: string | undefined;
    const lines = await logged(async () => {
      requestId = (await send(id)).headers['x-request-id'];
    });
    expect(lines).toStrictEqual([
      {
        operation: 'sandbox-checkout',
        requestId,
        status,
        route: `${method} /sandbox/checkout/{cartId}`,
        source: hashSource('127.0.0.1'),
        ms: 0,
        mode: 'test',
        stage: 'test',
        _aws: expect.any(Object),
        ClientErrors: 0,
      },
    ]);
    expect(findSecrets(JSON.stringify(lines))).toStrictEqual([]);
  });

  it.each([
    ['action=pay_back', 422, 'VALIDATION_ERROR'],
    ['action=pay', 404, 'INVALID_PRODUCT'],
  ])('has the code of an error: %s', async (body, status, code) => {
    const lines = await logged(() => sandbox.submit('unknown', body));
    expect(lines).toMatchObject([{ status, code, ClientErrors: 1 }]);
  });

  it('names an outage of the database and counts it', async () => {
    const broken = await givenSandbox(() => ({ carts: { find: () => Promise.reject(OUTAGES.timeout()) } }));
    const id = await broken.givenCart();
    expect(await logged(() => broken.show(id))).toMatchObject([
      {
        DatabaseUnavailable: 1,
        message: 'failed',
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        cause: { name: 'TimeoutError' },
      },
    ]);
  });

  it('counts no payment, so test payments raise no alarm', async () => {
    const id = await sandbox.givenCart();
    for (const action of ['wrong_amount', 'decline', 'pay_late'])
      expect(await logged(() => sandbox.submit(id, `action=${action}`))).toHaveLength(1);
  });
});
