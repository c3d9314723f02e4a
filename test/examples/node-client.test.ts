import { expect, test, vi } from 'vitest';
import { CartCheckout } from '../../docs/clients/cart-checkout.mjs';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { BUYER } from '../support/secrets.ts';

const create = () => new CartCheckout({ baseUrl: 'http://api', apiKey: generateApiKey('test') });

test('the client for Node.js does not run in a browser', () => {
  for (const name of ['window', 'document']) {
    vi.stubGlobal(name, {});
    expect(create).toThrow('Use CartCheckout on your server');
    vi.unstubAllGlobals();
  }
  expect(String(create())).toBe('CartCheckout(http://api)');
});

// As texts, all objects are the same.
test.each([{ order: 1 }, 1001])(
  'the client for Node.js rejects an Idempotency-Key that is no text: %j',
  async (key) => {
    const idempotencyKey = key as unknown as string;
    const created = create().createCart({ productDocumentId: 'one-course', ...BUYER }, { idempotencyKey });
    await expect(created).rejects.toThrow('idempotencyKey is malformed');
  },
);
