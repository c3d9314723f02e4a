import { randomUUID } from 'node:crypto';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { EventLog } from '../../../lib/events/event-log.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { givenDatabase } from '../database/database.ts';
import { eventLogOf } from './event-logs.ts';
import { expiryJobOf, handleExpired } from './expiries.ts';
import { paymentTablesOf } from './payment-tables.ts';
import { EXPIRES_AT_MS, waitingCart } from './payments.ts';

/** The repositories of payments, and the expiries, one second after the expiry of each `waitingCart`. */
export const givenExpiredCarts = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const now = () => EXPIRES_AT_MS + 1_000;
  const tables = paymentTablesOf(tableNames);
  const repositories = createPaymentRepositories(documents, tables, { now });
  const ownLog = eventLogOf(database, now);
  const { find } = repositories.live.carts;
  return {
    database,
    now,
    repositories,
    log: ownLog,

    /** Stores a cart, by default of a store, and so of an event log, of its own. */
    givenCart: async (changes: Partial<Cart> = {}): Promise<Cart> => {
      const cart = waitingCart({ storeId: randomUUID(), ...changes });
      return (await repositories[cart.mode].carts.create(cart)).cart;
    },

    /** Records the abandonments of live carts. Returns how many it recorded. */
    abandon: (carts: readonly Cart[], log = ownLog): Promise<number> =>
      handleExpired(
        expiryJobOf(database, now, 'live', log),
        carts.map(({ id }) => id),
      ),

    /** A log that lets another writer change the cart of an event before it stores both. */
    logAfter: (change: (cart: Cart) => Promise<unknown>): EventLog => ({
      append: async (...args) => {
        const cart = await find(args[1].event.cartId ?? '');
        if (cart) await change(cart);
        return ownLog.append(...args);
      },
    }),

    /** Finds a live cart, and lets another writer change it after the first read. */
    findThen: (change: (cart: Cart) => Promise<unknown>): typeof find => {
      let reads = 0;
      return async (id, signal) => {
        const cart = await find(id, signal);
        reads += 1;
        if (cart && reads === 1) await change(cart);
        return cart;
      };
    },
  };
};
