import { type Authenticator, createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { parseCartId } from '../../lib/carts/cart-id.ts';
import { type CartRepositories, createCartRepositories } from '../../lib/carts/cart-repository.ts';
import { cartTableOf } from '../../lib/carts/cart-tables.ts';
import { viewRetrievedCart } from '../../lib/carts/cart-view.ts';
import { type Cart, isVisibleTo } from '../../lib/carts/cart.ts';
import {
  type AbandonmentRepository,
  createAbandonmentRepository,
} from '../../lib/carts/expiry/abandonment-repository.ts';
import { countAbandonments } from '../../lib/carts/expiry/count-abandonments.ts';
import { expireNow } from '../../lib/carts/expiry/expire-now.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { createEventLog } from '../../lib/events/event-log.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { ApiError, cartNotFoundForKey } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { unknownNames } from '../../lib/requests/unknown-names.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { settingNamesOf } from '../function-needs.ts';
import { logNameOf } from '../operations.ts';

interface Dependencies {
  readonly authenticator: Authenticator;
  readonly carts: CartRepositories;
  readonly abandonments: Readonly<Record<Mode, AbandonmentRepository>>;
  readonly now: Clock;
}

/** The error for a cart that has a payment. */
const paymentError = ({ status }: Cart): ApiError => {
  switch (status) {
    case 'completed':
      return new ApiError('cartCompleted');
    case 'payment_failed':
      return new ApiError('cartPaymentFailed');
    case 'waiting_payment':
      throw new Error('A cart without a payment was not expired');
  }
};

/** POST /api/v1/stores/cart/{cartId}/expire: ends a cart that waits for payment (`docs/contract.md`, "Endpoints"). */
export const expireCart = ({ authenticator, carts, abandonments, now }: Dependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('expireCart'),
    // A malformed id counts as an unknown cart: 404, not 422.
    parse: ({ path }) => ({ ok: true, input: parseCartId(path['cartId']) }),
    findTestModeIssues: unknownNames({}),
    authenticator,
    read: async (cartId, signal, mode) =>
      cartId === undefined ? undefined : carts[mode].find(cartId, signal),
    now,
    handle: async ({ apiKey, resource: cart, nowMs, signal }) => {
      const { mode } = apiKey;
      if (!cart || !isVisibleTo(cart, apiKey)) throw cartNotFoundForKey();
      const repositories = { carts: carts[mode], abandonments: abandonments[mode], now: () => nowMs };
      const expired = await expireNow(cart, repositories, signal);
      if (expired.outcome === 'unknown') throw cartNotFoundForKey();
      if (expired.outcome === 'hasPayment') throw paymentError(expired.cart);
      if (expired.outcome === 'expired') countAbandonments(mode, 1);
      // The clock that set the expiry may have been ahead of this one.
      return jsonResponse(200, viewRetrievedCart(expired.cart, Math.max(nowMs, expired.cart.expiresAtMs)));
    },
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('expire-cart'));
  const { now } = Date;
  const log = createEventLog(documents, settings.eventsTable, { now });
  const { live, test } = cartTableOf(settings);
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    carts: createCartRepositories(documents, settings, now),
    abandonments: {
      live: createAbandonmentRepository(live, log),
      test: createAbandonmentRepository(test, log),
    },
    now,
  };
};

export const { handler, ready } = startFunction({
  createHandler: expireCart,
  createDependencies,
  warmUp: ({ authenticator, carts }, unknownId) => [
    authenticator.authenticate(unknownId, Date.now),
    carts.test.find(unknownId),
  ],
});
