import { createCartCheckout } from '../../../../functions/create-cart-checkout/handler.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { eventOf } from '../../../support/functions/invoke.ts';
import { WORST_REQUESTS } from '../../../support/service/worst-requests.ts';
import { CONTEXT } from '../support/context.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { CART_BODY } from '../support/items.ts';
import { serve } from '../support/worker.ts';

const REQUESTS: typeof WORST_REQUESTS = { ...WORST_REQUESTS, ordinary: { body: CART_BODY } };

/** A number of equal requests, one after the other. */
export interface BodyRound {
  /** A name of `WORST_REQUESTS`, or `ordinary`. */
  readonly request: string;
  /** Whether the request has a well-formed key, which nobody issued. */
  readonly hasKey: boolean;
  readonly count: number;
}

type Dependencies = Parameters<typeof createCartCheckout>[0];

/** Every key is new to this environment and unknown to the database, so the body is parsed before the 401. */
const handler = createCartCheckout({
  authenticator: {
    recallRejection: () => undefined,
    authenticate: () => Promise.resolve({ outcome: 'unknown' }),
  },
  products: {
    find: () => Promise.resolve(undefined),
    list: () => Promise.resolve({ products: [], hasMore: false }),
  },
  now: Date.now,
} as Partial<Dependencies> as Dependencies);

/** Measures the CPU milliseconds of one request: the mean of a round. */
const measure = async ({ request, hasKey, count }: BodyRound): Promise<number> => {
  const { body, headers } = REQUESTS[request]!;
  const Authorization = hasKey ? `Bearer ${generateApiKey('test')}` : undefined;
  const sent = { 'Content-Type': 'application/json', ...headers, Authorization };
  const event = eventOf('createCartCheckout', { body, headers: sent }, Date.now);
  const startedCpuMs = cpuMs();
  for (let index = 0; index < count; index += 1) {
    // The pipeline replaces the body of its event.
    const { statusCode } = await handler({ ...event }, CONTEXT);
    if (statusCode !== 401) throw new Error(`The function responded with ${statusCode}`);
  }
  return (cpuMs() - startedCpuMs) / count;
};

serve(measure);
