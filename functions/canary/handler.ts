import { createDocumentClient } from '../../lib/aws/clients.ts';
import { createCanaryKeyRepository } from '../../lib/canary/canary-key-repository.ts';
import { CANARY_PRODUCT, CANARY_REQUEST } from '../../lib/canary/canary-store.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { describeFailure } from '../../lib/telemetry/failure.ts';
import { logger } from '../../lib/telemetry/logger.ts';
import { settingNamesOf } from '../function-needs.ts';

interface Dependencies {
  /** Sends the requests, as a merchant's server would. */
  readonly fetch: typeof fetch;
  /** The stage's public address, without a trailing slash. */
  readonly publicUrl: string;
  /** Finds the text of the canary's API key. */
  readonly findKey: () => Promise<string | undefined>;
}

/** A cold start and both requests fit into the time limit of a function. */
const REQUEST_TIMEOUT_MS = 2_500;

const HEADERS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

interface Body {
  readonly cart?: Body;
  readonly id?: string;
  readonly status?: string;
  readonly price?: { readonly amount?: number; readonly currency?: string };
  readonly redirectUrl?: string;
}

/** A check of a response that failed. Its message quotes nothing of the response, so that it can be logged. */
class FailedCheck extends Error {}

/** Checks a condition. Throws a {@link FailedCheck} with the sentence if it is false. */
const check = (isTrue: boolean, sentence: string): void => {
  if (!isTrue) throw new FailedCheck(sentence);
};

/** Sends a request, and checks its status and headers. */
const send = async (
  { fetch, publicUrl }: Dependencies,
  path: string,
  keyText: string,
  expected: { readonly status: number; readonly body?: object },
): Promise<Body> => {
  const { status, body } = expected;
  const method = body ? 'POST' : 'GET';
  const response = await fetch(`${publicUrl}/api/v1/stores/cart/${path}`, {
    method,
    headers: { Authorization: `Bearer ${keyText}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  check(response.status === status, `The ${method} responded ${response.status}, not ${status}.`);
  const missing = HEADERS.filter((name) => !response.headers.has(name));
  check(missing.length === 0, `The response to the ${method} has no ${missing.join(', ')}.`);
  return (await response.json()) as Body;
};

/** Creates a test cart and retrieves it through the public address. */
const createAndRetrieve = async (dependencies: Dependencies): Promise<void> => {
  const keyText = await dependencies.findKey();
  if (keyText === undefined) {
    throw new FailedCheck('The canary has no key. Run npm run operate -- canary setup.');
  }
  const { pricing, currency } = CANARY_PRODUCT;
  const created = { status: 201, body: CANARY_REQUEST };
  const { cart, redirectUrl } = await send(dependencies, 'checkout', keyText, created);
  const cartId = cart?.id ?? '';
  check(cartId !== '' && redirectUrl?.endsWith(`/${cartId}`) === true, 'The POST returned no payment page.');

  const { id, status, price } = await send(dependencies, cartId, keyText, { status: 200 });
  check(id === cartId && status === 'waiting_payment', 'The GET returned another cart or status.');
  check(price?.amount === pricing.amount && price.currency === currency, 'The GET returned another price.');
};

/**
 * Checks the service from outside, once a minute. A failed run counts as an error of the function, which an alarm watches.
 *
 * @throws the first error, after it is logged
 */
export const canary = (dependencies: Dependencies) => async (): Promise<void> => {
  try {
    await createAndRetrieve(dependencies);
  } catch (error) {
    const cause =
      error instanceof FailedCheck ? { reason: error.message } : { cause: describeFailure(error) };
    logger.error('canary', { outcome: 'failed', ...cause });
    throw error;
  }
};

const createDependencies = (): Dependencies => {
  const { secretsTable, publicUrl } = readSettings(settingNamesOf('canary'));
  const keys = createCanaryKeyRepository(createDocumentClient(), secretsTable);
  return { fetch, publicUrl, findKey: () => keys.find() };
};

export const handler = canary(createDependencies());
