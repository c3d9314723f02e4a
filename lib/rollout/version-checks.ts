import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { generateApiKey } from '../api-keys/api-key.ts';
import type { LambdaClient } from '../aws/lambda-client.ts';
import { CANARY_PRODUCT, CANARY_REQUEST } from '../canary/canary-store.ts';
import type { Clock } from '../core/clock.ts';
import { check, FailedCheck } from '../core/failed-check.ts';
import { API_ERRORS, type ApiErrorKind } from '../http/errors.ts';
import { gatewayEvent } from './gateway-event.ts';

/** The request of each checked function. It equals that in `functions/operations.ts`, which `lib` cannot import. */
export const CHECKED_ROUTES = {
  'create-cart-checkout': { method: 'POST', resource: '/api/v1/stores/cart/checkout' },
  'get-cart': { method: 'GET', resource: '/api/v1/stores/cart/{cartId}' },
  'list-events': { method: 'GET', resource: '/api/v1/stores/events' },
  'get-payment-cart': { method: 'GET', resource: '/internal/v1/carts/{cartId}' },
  'sandbox-checkout': { method: 'GET', resource: '/sandbox/checkout/{cartId}' },
} as const;

type FunctionName = keyof typeof CHECKED_ROUTES;

const FUNCTION_NAMES = Object.keys(CHECKED_ROUTES) as FunctionName[];

export interface VersionChecksOptions {
  readonly lambda: LambdaClient;
  /** The ARN of the version to check of each function, by its name. A stage may lack the sandbox. */
  readonly versions: ReadonlyMap<string, string>;
  readonly now: Clock;
}

const responseSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  body: z.string(),
});

interface Request {
  readonly cartId?: string;
  readonly apiKey?: string;
  readonly body?: object;
}

interface Body {
  readonly code?: string;
  readonly message?: string;
  readonly id?: string;
  readonly cart?: Body;
  readonly redirectUrl?: string;
  readonly price?: { readonly amount?: number; readonly currency?: string };
  readonly events?: unknown;
}

const parseJson = (functionName: string, text: string): Body => {
  try {
    return Object(JSON.parse(text)) as Body;
  } catch {
    throw new FailedCheck(`${functionName} responded without JSON.`);
  }
};

const eventOf = (
  functionName: FunctionName,
  { cartId, apiKey, body }: Request,
  now: Clock,
): ReturnType<typeof gatewayEvent> => {
  const route = CHECKED_ROUTES[functionName];
  const hasCartId = route.resource.includes('{cartId}');
  const headers = {
    ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const request = {
    ...route,
    ...(hasCartId && cartId !== undefined && { pathParameters: { cartId } }),
    headers,
    ...(body && { body: JSON.stringify(body) }),
  };
  return gatewayEvent(request, now());
};

/** Invokes a version, and checks the status and the headers of its response. Returns the body. */
type Send = (functionName: FunctionName, request: Request, status: number) => Promise<string>;

const createSend =
  ({ lambda, versions, now }: VersionChecksOptions, signal: AbortSignal): Send =>
  async (functionName, request, status) => {
    const event = eventOf(functionName, request, now);
    const response = responseSchema.safeParse(
      await lambda.invoke(versions.get(functionName) ?? '', event, signal),
    );
    if (!response.success) throw new FailedCheck(`${functionName} returned no response.`);
    const { statusCode, headers, body } = response.data;
    check(statusCode === status, `${functionName} responded ${statusCode}, not ${status}.`);
    const hasRequestId = headers['X-Request-Id'] === event.requestContext.requestId;
    check(hasRequestId, `${functionName} responded without the request id.`);
    return body;
  };

/** The rejection of a request that finds nothing in the database. The sandbox responds with a page. */
const rejectionOf = (functionName: FunctionName): ApiErrorKind =>
  CHECKED_ROUTES[functionName].resource.startsWith('/api/') ? 'invalidApiKey' : 'cartNotFound';

/**
 * Checks that each version rejects a request with an unknown key, or for an unknown cart. Each rejection needs a read of the
 * database.
 *
 * @throws FailedCheck, or the error of an invocation
 */
const checkRejections = async (send: Send, functionNames: readonly FunctionName[]): Promise<void> => {
  const request = { apiKey: generateApiKey('test'), cartId: randomUUID() };
  const checkOne = async (functionName: FunctionName): Promise<void> => {
    const { status, code, message } = API_ERRORS[rejectionOf(functionName)];
    const isCreation = functionName === 'create-cart-checkout';
    const sent = { ...request, ...(isCreation && { body: CANARY_REQUEST }) };
    const text = await send(functionName, sent, status);
    if (functionName === 'sandbox-checkout') return;
    const body = parseJson(functionName, text);
    const isContract = body.code === code && body.message === message;
    check(isContract, `${functionName} responded ${status} with another code or message.`);
  };
  await Promise.all(functionNames.map(checkOne));
};

/** Creates a cart of the canary's store, and reads it through each other version. */
const checkCart = async (
  send: Send,
  functionNames: readonly FunctionName[],
  apiKey: string,
): Promise<void> => {
  const create = 'create-cart-checkout';
  const created = await send(create, { apiKey, body: CANARY_REQUEST }, 201);
  const { cart, redirectUrl } = parseJson(create, created);
  const cartId = cart?.id ?? '';
  check(cartId !== '' && redirectUrl?.endsWith(`/${cartId}`) === true, `${create} returned no payment page.`);

  const checkCartOf = async (functionName: FunctionName, request: Request): Promise<void> => {
    const { id, price } = parseJson(functionName, await send(functionName, request, 200));
    const { pricing, currency } = CANARY_PRODUCT;
    const isSame = id === cartId && price?.amount === pricing.amount && price.currency === currency;
    check(isSame, `${functionName} returned another cart or price.`);
  };
  const checkEvents = async (): Promise<void> => {
    const { events } = parseJson('list-events', await send('list-events', { apiKey }, 200));
    check(Array.isArray(events), 'list-events returned no list of events.');
  };
  await Promise.all([
    checkCartOf('get-cart', { apiKey, cartId }),
    checkCartOf('get-payment-cart', { cartId }),
    checkEvents(),
    functionNames.includes('sandbox-checkout') && send('sandbox-checkout', { cartId }, 200),
  ]);
};

/**
 * Checks new versions of the API functions, which get no traffic yet, with the events that API Gateway would send.
 *
 * @param apiKey the canary's key, if the stage has one. Without it, only rejections are checked
 * @throws FailedCheck for a wrong response, or the error of an invocation
 */
export const checkVersions = async (
  options: VersionChecksOptions,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const send = createSend(options, signal);
  const functionNames = FUNCTION_NAMES.filter((name) => options.versions.has(name));
  await Promise.all([
    checkRejections(send, functionNames),
    apiKey === undefined ? undefined : checkCart(send, functionNames, apiKey),
  ]);
};
