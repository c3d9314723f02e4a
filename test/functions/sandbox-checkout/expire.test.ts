import { describe, expect, it } from 'vitest';
import type { SandboxDependencies } from '../../../functions/sandbox-checkout/handler.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { eventsOf } from '../../support/domain/event-logs.ts';
import { expiryJobOf, handleExpired } from '../../support/domain/expiries.ts';
import { givenSandbox, type TestSandbox, textOf } from './sandbox.ts';

const DAY_SECONDS = 86_400;

const database = await givenDatabase();
const sandbox = await givenSandbox(undefined, database);

/** Submits an action, as curl does. Returns the redirect's address. */
const act = async (id: string, action: string, page = sandbox): Promise<string | undefined> => {
  const { status, headers } = await page.submit(id, `action=${action}`);
  expect(status).toBe(303);
  return headers['location'];
};

/** Each test has a store, and so an event log, of its own. */
const givenCart = (changes: Partial<Cart> = {}): Promise<string> =>
  sandbox.givenCart({ storeId: crypto.randomUUID(), ...changes });

/** The events of a cart, oldest first. */
const eventsOfCart = async (id: string) => {
  const events = await eventsOf(database, await sandbox.stored(id));
  return events.filter(({ data }) => data.id === id);
};

const typesOf = async (id: string): Promise<string[]> => (await eventsOfCart(id)).map(({ type }) => type);

/** A run that handles the original expiry, a day later. */
const runTimers = (id: string): Promise<number> =>
  handleExpired(
    expiryJobOf(database, () => sandbox.clock.now() + (DAY_SECONDS + 2) * 1_000, 'test'),
    [id],
  );

describe('a waiting cart that expires now', () => {
  it('is abandoned at once, with its event, and the buyer stays on the page', async () => {
    const id = await givenCart();
    const before = await sandbox.stored(id);
    expect(await act(id, 'expire')).toBe(`./${id}`);
    const { expiresAtMs, abandonmentRecordedAtMs, deleteAtSeconds: _, ...cart } = await sandbox.stored(id);
    expect(cart).toStrictEqual(
      Object.fromEntries(
        Object.entries(before).filter(([name]) => !['expiresAtMs', 'deleteAtSeconds'].includes(name)),
      ),
    );
    expect(expiresAtMs).toBe(abandonmentRecordedAtMs);
    expect(expiresAtMs).toBeLessThanOrEqual(sandbox.clock.now());
    const expiresAt = new Date(expiresAtMs).toISOString();
    expect(await eventsOfCart(id)).toMatchObject([
      { type: 'cart.abandoned', data: { id, status: 'abandoned', expiresAt, updatedAt: expiresAt } },
    ]);
    expect(textOf(await sandbox.show(id))).toContain('Expired This checkout has expired.');
  });

  it('has no second event when its original expiry comes', async () => {
    const id = await givenCart();
    await act(id, 'expire');
    const expired = await sandbox.stored(id);
    expect(await runTimers(id)).toBe(0);
    expect(await sandbox.stored(id)).toStrictEqual(expired);
    expect(await typesOf(id)).toStrictEqual(['cart.abandoned']);
  });

  it.each(['pay', 'pay_late'])('is late if it is paid afterwards: %s', async (action) => {
    const id = await givenCart();
    await act(id, 'expire');
    sandbox.clock.advance(1);
    expect(await act(id, action)).toContain('status=completed');
    expect(await sandbox.stored(id)).toMatchObject({ status: 'completed', latePayment: true });
    expect(await runTimers(id)).toBe(0);
    expect(await typesOf(id)).toStrictEqual(['cart.abandoned', 'cart.completed']);
  });

  it('does not change if it expires again', async () => {
    const id = await givenCart();
    await act(id, 'expire');
    const expired = await sandbox.stored(id);
    sandbox.clock.advance(60);
    expect(await act(id, 'expire')).toBe(`./${id}`);
    expect(await sandbox.stored(id)).toStrictEqual(expired);
    expect(await typesOf(id)).toStrictEqual(['cart.abandoned']);
  });
});

describe('a cart that has expired by itself', () => {
  it('keeps its expiry, and its event is recorded once', async () => {
    const expiresAtMs = sandbox.clock.now() - 1_000;
    const id = await givenCart({ expiresAtMs });
    expect(await act(id, 'expire')).toBe(`./${id}`);
    expect(await sandbox.stored(id)).toMatchObject({ expiresAtMs, status: 'waiting_payment' });
    expect(await runTimers(id)).toBe(0);
    expect(await typesOf(id)).toStrictEqual(['cart.abandoned']);
  });
});

describe('a cart with a payment', () => {
  it.each([
    ['pay', 'completed'],
    ['decline', 'payment_failed'],
  ])('cannot expire, and the page says so: %s', async (action, status) => {
    const id = await givenCart();
    await act(id, action);
    const before = await sandbox.stored(id);
    expect(await act(id, 'expire')).toBe(`./${id}?notice=has_payment`);
    expect(await sandbox.stored(id)).toStrictEqual(before);
    expect(before.status).toBe(status);
    const page = await sandbox.show(id, { query: { notice: 'has_payment' } });
    expect(textOf(page)).toContain('This checkout did not expire, because a payment was already tried.');
  });
});

describe('an expiry and a payment at the same time', () => {
  /** A sandbox in which another writer acts between the first read of a cart and the write. */
  const givenRace = (between: (id: string) => Promise<unknown>): Promise<TestSandbox> => {
    let isFirst = true;
    return givenSandbox(
      (carts): Partial<SandboxDependencies> => ({
        carts: {
          find: async (cartId, signal) => {
            const cart = await carts.find(cartId, signal);
            if (isFirst) {
              isFirst = false;
              await between(cartId);
            }
            return cart;
          },
        },
      }),
      database,
      sandbox.clock,
    );
  };

  it.each([
    ['pay', 'cart.completed'],
    ['decline', 'cart.payment_failed'],
  ])('leave the payment if it comes first: %s', async (action, type) => {
    const racing = await givenRace((id) => act(id, action));
    const id = await givenCart();
    expect(await act(id, 'expire', racing)).toBe(`./${id}?notice=has_payment`);
    expect(await sandbox.stored(id)).not.toHaveProperty('abandonmentRecordedAtMs');
    expect(await typesOf(id)).toStrictEqual([type]);
  });

  it('keep the expiry if it comes first, and the cart is paid', async () => {
    const racing = await givenRace((id) => act(id, 'expire'));
    const id = await givenCart();
    expect(await act(id, 'pay', racing)).toContain('status=completed');
    const { expiresAtMs, abandonmentRecordedAtMs, status } = await sandbox.stored(id);
    expect({ expiresAtMs, status }).toStrictEqual({
      expiresAtMs: abandonmentRecordedAtMs,
      status: 'completed',
    });
    expect(await typesOf(id)).toStrictEqual(['cart.abandoned', 'cart.completed']);
  });

  it('get 404 if TTL deletes the cart meanwhile', async () => {
    let reads = 0;
    const vanishing = await givenSandbox(
      (carts) => ({
        carts: { find: async (id, signal) => ((reads += 1) === 1 ? carts.find(id, signal) : undefined) },
        abandonments: { save: () => Promise.resolve(false) },
      }),
      database,
    );
    expect((await vanishing.submit(await givenCart(), 'action=expire')).status).toBe(404);
  });

  it('of several processes record one abandonment at most, and never one after a payment', async () => {
    const others = [0, 1].map(() => givenSandbox(undefined, database, sandbox.clock));
    const pages = [sandbox, ...(await Promise.all(others))];
    const ids = await Promise.all(Array.from({ length: 6 }, () => givenCart()));
    await Promise.all(
      ids.flatMap((id, index) => [
        act(id, 'expire', pages[index % 3]),
        act(id, 'expire', pages[(index + 1) % 3]),
        act(id, index % 2 === 0 ? 'pay' : 'decline', pages[(index + 2) % 3]),
      ]),
    );
    for (const [index, id] of ids.entries()) {
      const cart = await sandbox.stored(id);
      const types = await typesOf(id);
      expect(types.filter((type) => type === 'cart.abandoned')).toHaveLength(
        cart.abandonmentRecordedAtMs === undefined ? 0 : 1,
      );
      expect(types.slice(1)).not.toContain('cart.abandoned');
      expect(cart.payments).toHaveLength(1);
      expect(cart.status === 'completed').toBe(index % 2 === 0);
      expect(await runTimers(id)).toBe(0);
    }
  });
});
