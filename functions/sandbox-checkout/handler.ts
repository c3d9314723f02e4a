import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { parseCartId } from '../../lib/carts/cart-id.ts';
import { createCartRepository } from '../../lib/carts/cart-repository.ts';
import { statusAt } from '../../lib/carts/cart-status.ts';
import type { Cart, CartStatus } from '../../lib/carts/cart.ts';
import { createAbandonmentRepository } from '../../lib/carts/expiry/abandonment-repository.ts';
import { leaveAddress, returnAddress } from '../../lib/carts/return-address.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { ApiError } from '../../lib/http/errors.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { createPaymentRecordRepository } from '../../lib/payments/payment-record-repository.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { findStoreName } from '../../lib/stores/store-name.ts';
import { createStoreRepository, type StoreRepository } from '../../lib/stores/store-repository.ts';
import { byRoute } from '../by-route.ts';
import { settingNamesOf } from '../function-needs.ts';
import { type ActionLimiter, createActionLimiter } from './action-limiter.ts';
import type { Action } from './actions.ts';
import { isCrossSite, parseAction } from './form.ts';
import { type Notice, parseNotice } from './notices.ts';
import { pageOperation } from './page-operation.ts';
import { checkoutPage } from './page/checkout-page.ts';
import { pageResponse } from './page/page-response.ts';
import { type ActionDependencies, performAction } from './perform-action.ts';
import { seeOther } from './program-response.ts';
import { ENGLISH } from './texts/english.ts';

export interface SandboxDependencies extends ActionDependencies {
  readonly actionLimiter: ActionLimiter;
  readonly stores: Pick<StoreRepository, 'find'>;
  /** The page of a missing cart names the stage. */
  readonly stageName: string;
}

/** Finds the cart of a request's path. A live cart gets the same 404 as an unknown one. */
const findTestCart = async (
  { pathParameters }: APIGatewayProxyEvent,
  { carts }: Pick<SandboxDependencies, 'carts'>,
  signal: AbortSignal,
): Promise<Cart> => {
  const cartId = parseCartId(pathParameters?.['cartId']);
  const cart = cartId === undefined ? undefined : await carts.find(cartId, signal);
  if (cart?.mode !== 'test') throw new ApiError('cartNotFound');
  return cart;
};

/** The page's address relative to itself, because the function does not know the stage's prefix. */
const ownAddress = ({ id }: Cart, notice?: Notice): string => `./${id}${notice ? `?notice=${notice}` : ''}`;

/** Where the buyer goes after an action. After an expiry or a refund, the buyer stays on the page. */
const nextAddress = (action: Action, cart: Cart, status: CartStatus): string => {
  if (action === 'expire' || action === 'refund') return ownAddress(cart);
  return action === 'leave'
    ? (leaveAddress(cart, status) ?? ownAddress(cart, 'left'))
    : (returnAddress(cart, status) ?? ownAddress(cart));
};

/** Performs an action, then redirects the buyer to the merchant, as a payment page does. A program also gets the result as text. */
const performAndRedirect = async (
  action: Action,
  found: Cart,
  dependencies: ActionDependencies,
  signal: AbortSignal,
): Promise<APIGatewayProxyResult> => {
  const { cart, notice } = await performAction(action, found, dependencies, signal);
  const { status } = statusAt(cart, dependencies.now());
  const address = notice ? ownAddress(cart, notice) : nextAddress(action, cart, status);
  const result = notice ? ENGLISH.notices[notice] : 'Done.';
  return seeOther(address, [`${action}: ${result} The cart is ${status}.`, `Next: ${address}`]);
};

/** GET /sandbox/checkout/{cartId}: opens the page. */
const open = (dependencies: SandboxDependencies): ProxyFunction =>
  pageOperation({
    name: 'openSandboxCheckout',
    stageName: dependencies.stageName,
    now: dependencies.now,
    handle: (event, now) => async (signal) => {
      const cart = await findTestCart(event, dependencies, signal);
      const notice = parseNotice(event.queryStringParameters?.['notice']);
      const storeName = await findStoreName(dependencies.stores, cart.storeId, signal);
      const acceptLanguage = event.headers['accept-language'];
      const options = { storeName, nowMs: now(), notice, acceptLanguage };
      return pageResponse(200, checkoutPage(cart, options));
    },
  });

/** POST /sandbox/checkout/{cartId}: takes the action of the page's form. */
const submit = (dependencies: SandboxDependencies): ProxyFunction =>
  pageOperation({
    name: 'submitSandboxCheckout',
    stageName: dependencies.stageName,
    now: dependencies.now,
    handle: (event, now) => async (signal) => {
      if (isCrossSite(event)) throw new ApiError('forbidden');
      const parsed = parseAction(event);
      if (!parsed.ok) throw new ApiError('invalidPayload', [{ path: 'action', message: parsed.reason }]);
      const cart = await findTestCart(event, dependencies, signal);
      // After the read of the cart: an unknown cart must cost no write.
      const taken = await dependencies.actionLimiter.take(cart.id, now(), signal);
      if (taken.outcome === 'limited') throw new ApiError('rateLimited', undefined, taken);
      return performAndRedirect(parsed.action, cart, { ...dependencies, now }, signal);
    },
  });

/** The payment page of test mode, on which no money moves. */
export const sandboxCheckoutFunction = (dependencies: SandboxDependencies): ProxyFunction =>
  byRoute<'sandbox-checkout'>({
    openSandboxCheckout: open(dependencies),
    submitSandboxCheckout: submit(dependencies),
  });

const createDependencies = (documents: DocumentClient): SandboxDependencies => {
  const { stageName, testCartsTable, storesTable, eventsTable } = readSettings(
    settingNamesOf('sandbox-checkout'),
  );
  const { now } = Date;
  const log = createEventLog(documents, eventsTable, { now });
  return {
    stageName,
    carts: createCartRepository(documents, testCartsTable, now),
    paymentRecords: createPaymentRecordRepository(documents, testCartsTable, { log, now }),
    abandonments: createAbandonmentRepository(testCartsTable, log),
    actionLimiter: createActionLimiter(documents, testCartsTable),
    stores: createStoreRepository(documents, storesTable),
    now,
    newId: randomUUID,
  };
};

export const { handler, ready } = startFunction({
  createHandler: sandboxCheckoutFunction,
  createDependencies,
  warmUp: ({ carts }, unknownId) => [carts.find(unknownId)],
});
