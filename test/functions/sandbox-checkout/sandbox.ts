import { sandboxCheckoutFunction } from '../../../functions/sandbox-checkout/handler.ts';
import type { SandboxDependencies } from '../../../functions/sandbox-checkout/handler.ts';
import type { CartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { ManualClock } from '../../support/clock.ts';
import { givenDatabase, type TestDatabase } from '../../support/database/database.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { createDependencies } from '../../support/functions/dependencies.ts';
import { invoke, type InvokedResponse, type OperationRequest } from '../../support/functions/invoke.ts';

const DAY_MS = 86_400_000;

/** A response as a browser receives it: header names in lower case. */
export type PageResponse = Omit<InvokedResponse, 'bodyText'> & { readonly body: string };

export type PageRequest = Pick<OperationRequest, 'headers' | 'query'>;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The header with which a browser opens a page or sends a form. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The page's function in this process. Default: its own clock. `replace` replaces some of its stores. */
export const givenSandbox = async (
  replace: (carts: CartRepository) => Partial<SandboxDependencies> = () => ({}),
  database?: TestDatabase,
  time?: ManualClock,
) => {
  const {
    time: clock,
    carts: { test: carts },
    testPayments: paymentRecords,
    abandonments: { test: abandonments },
    ...dependencies
  } = createDependencies(database ?? (await givenDatabase()), time);
  const { now } = clock;
  const handler = sandboxCheckoutFunction({
    ...dependencies,
    carts,
    paymentRecords,
    abandonments,
    ...replace(carts),
  });

  const send = async (
    name: 'openSandboxCheckout' | 'submitSandboxCheckout',
    cartId: string,
    request: OperationRequest,
  ): Promise<PageResponse> => {
    const headers = { ...BROWSER, ...request.headers };
    const sent = { ...request, headers, pathParameters: { cartId } };
    const { bodyText: body, ...response } = await invoke(handler, name, sent, now);
    return { ...response, body };
  };

  return {
    clock,
    carts,
    stores: dependencies.stores,

    /** Stores a test cart of 19.99 EUR that expires in 24 hours; `changes` replace fields. Returns its id. */
    async givenCart(changes: Partial<Cart> = {}): Promise<string> {
      const cart = waitingCart({
        mode: 'test',
        returnUrl: 'https://shop.example/thanks',
        createdAtMs: now(),
        updatedAtMs: now(),
        expiresAtMs: now() + DAY_MS,
        ...changes,
      });
      await carts.create(cart);
      return cart.id;
    },

    /** Opens the page. */
    show: (cartId: string, request: PageRequest = {}): Promise<PageResponse> =>
      send('openSandboxCheckout', cartId, request),

    /** Submits the form, one byte per character, as `curl -d` does. */
    submit: (cartId: string, body: string, request: PageRequest = {}): Promise<PageResponse> =>
      send('submitSandboxCheckout', cartId, {
        headers: FORM,
        ...request,
        body: Buffer.from(body, 'latin1'),
      }),

    /** The stored cart. */
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
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The actions that a page's cards and buttons offer, in order. */
export const offeredActions = ({ body }: PageResponse): (string | undefined)[] =>
  [...body.matchAll(/<(?:input|button)[^>]* name="action" value="(\w+)"/g)].map(([, action]) => action);
