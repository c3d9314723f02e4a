import { randomUUID } from 'node:crypto';
import { sandboxCheckout } from '../../../functions/sandbox-checkout/handler.ts';
import { toGatewayEvent } from '../../../infra/local/gateway/event.ts';
import { createLambdaContext } from '../../../infra/local/gateway/lambda-context.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../functions/operations.ts';
import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import { type Cart, newCart } from '../../../lib/carts/cart.ts';
import { createPaymentStore } from '../../../lib/carts/payment-store.ts';
import type { SandboxDependencies } from '../../../lib/sandbox/perform-action.ts';
import { manualClock } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { BUYER } from '../../support/secrets.ts';

/** An answer as a browser sees it: header names in lower case. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** The query, with its question mark. */
  readonly query?: string;
}

const RESOURCE = '/sandbox/checkout/{cartId}';

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The page's function in this process, on a table and a clock of its own; `replace` puts stores in the real ones' place. */
export const givenSandbox = async (
  replace: (carts: CartStore) => Partial<SandboxDependencies> = () => ({}),
) => {
  const { documents, tableNames } = await givenDatabase();
  const clock = manualClock();
  const carts = createCartStore(documents, tableNames.carts);
  const handler = sandboxCheckout({
    carts,
    payments: createPaymentStore(documents, tableNames.carts),
    now: clock.now,
    newId: randomUUID,
    ...replace(carts),
  });

  const send = async (
    method: string,
    cartId: string,
    body: string,
    { headers = {}, query = '' }: PageRequest,
  ): Promise<PageResponse> => {
    const event = toGatewayEvent(
      {
        method,
        target: `/sandbox/checkout/${encodeURIComponent(cartId)}${query}`,
        rawHeaders: Object.entries(headers).flat(),
        body: Buffer.from(body, 'latin1'),
        httpVersion: '1.1',
        sourceIp: '127.0.0.1',
      },
      {
        resource: RESOURCE,
        pathParameters: new Map([['cartId', cartId]]),
        requestId: randomUUID(),
        receivedAtMs: clock.now(),
        domainName: 'localhost',
        port: 80,
      },
    );
    const context = createLambdaContext({
      functionName: 'sandbox-checkout',
      awsRequestId: randomUUID(),
      timeoutMs: FUNCTION_TIMEOUT_MS,
      now: clock.now,
    });
    const result = await handler(event, context);
    return {
      status: result.statusCode,
      headers: Object.fromEntries(
        Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
      body: result.body,
    };
  };

  return {
    clock,
    carts,

    /** A test cart of 19.99 EUR that waits 24 hours for its payment, unless told otherwise. Returns its id. */
    async givenCart(changes: Partial<Cart> = {}): Promise<string> {
      const cart = newCart(
        {
          id: randomUUID(),
          storeId: 'store-1',
          mode: 'test',
          customerInfo: { ...BUYER },
          productId: 'course',
          productName: 'Course',
          price: { amount: 19.99, currency: 'EUR' },
          redirectUrl: 'https://shop.example/thanks',
          meta: { order: 'A-1' },
          requestFingerprint: 'fingerprint',
          nowMs: clock.now(),
        },
        { expirySeconds: 86_400, retentionSeconds: 86_400 },
      );
      await carts.create({ ...cart, ...changes });
      return cart.id;
    },

    /** GET /sandbox/checkout/{cartId} */
    show: (cartId: string, request: PageRequest = {}): Promise<PageResponse> =>
      send('GET', cartId, '', request),

    /** POST /sandbox/checkout/{cartId}, as `curl -d` sends it. */
    submit: (cartId: string, body: string, request: PageRequest = {}): Promise<PageResponse> =>
      send('POST', cartId, body, { headers: FORM, ...request }),

    /** The cart as it is stored. */
    async stored(cartId: string): Promise<Cart> {
      const cart = await carts.find(cartId);
      if (!cart) throw new Error(`There is no cart ${cartId}`);
      return cart;
    },
  };
};

export type TestSandbox = Awaited<ReturnType<typeof givenSandbox>>;

/** The text of a page, without its markup; every run of white space is one space. */
export const textOf = ({ body }: PageResponse): string =>
  body
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The actions that a page's buttons offer, in order. */
export const offeredActions = ({ body }: PageResponse): (string | undefined)[] =>
  [...body.matchAll(/<button[^>]*name="action"[^>]*value="(\w+)"/g)].map(([, action]) => action);
