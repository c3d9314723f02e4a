import type { Fault } from '../fault.ts';

const SMALL_LIMIT = { requests: 5, windowSeconds: 3_600 };

/** More than a refill of the small bucket allows. */
const ORDERS_IN_A_ROW = 2 * SMALL_LIMIT.requests;

/** The limit of the merchant's key is far too small. */
export const smallLimit: Fault = async (stage) => {
  const { requests, windowSeconds } = SMALL_LIMIT;
  const apiKey = await stage.issueKey('--limit', String(requests), '--window', String(windowSeconds));
  for (let sent = 0; sent < 2 * requests; sent++) await stage.order(apiKey);
  let inARow = 0;
  return {
    section: 'ClientErrors',
    report: [
      'Our campaign began today. Most of our buyers see an error when they go to the checkout.',
      'Our log says that you respond with 429. We expect about one order each second.',
    ],
    isMended: async () => {
      const { status } = await stage.order(apiKey);
      inARow = status === 201 ? inARow + 1 : 0;
      return inARow >= ORDERS_IN_A_ROW;
    },
    mend: async () => {
      const { keys } = await stage.operate<{ keys: { keyId: string; limit: number }[] }>('keys', 'list');
      const keyId = keys.find(({ limit }) => limit === requests)?.keyId ?? '';
      await stage.operate('keys', 'set-limit', keyId, '--limit', '600', '--window', '60', '--yes');
    },
  };
};
