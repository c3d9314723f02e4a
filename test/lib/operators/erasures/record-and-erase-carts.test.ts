import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { erasedCart } from '../../../../lib/erasures/erased-cart.ts';
import { createErasureLedger } from '../../../../lib/operators/erasures/erasure-ledger.ts';
import { recordAndEraseCarts } from '../../../../lib/operators/erasures/record-and-erase-carts.ts';
import { timerOf } from '../../../../lib/timers/timer.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { aroundCalls } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';

const { documents, tableNames, newClient } = await givenDatabase();
const tableName = tableNames.carts;
const carts = createCartRepository(documents, tableName, () => NOW_MS);
const ledger = createErasureLedger(documents, tableNames.erasures);

const erase = (...erased: readonly Cart[]): Promise<number> =>
  recordAndEraseCarts(
    documents,
    ledger,
    erased.map((cart) => ({ tableName, cart })),
    () => NOW_MS,
  );

const inLedger = async ({ id }: Cart): Promise<unknown> => {
  const get = new GetCommand({ TableName: tableNames.erasures, Key: { cartId: id } });
  return (await documents.send(get)).Item;
};

describe('an erasure of carts', () => {
  it('erases each cart by the rule, and has it in the ledger', async () => {
    const made = [
      waitingCart({ returnUrl: 'https://shop.example', meta: { constructor: 'a', note: '' } }),
      waitingCart({ status: 'completed', payments: [payment()] }),
    ];
    for (const cart of made) await carts.create(cart);
    expect(await erase(...made)).toBe(2);
    for (const cart of made) {
      expect(await carts.find(cart.id)).toStrictEqual(erasedCart(cart, NOW_MS));
      expect(await inLedger(cart)).toStrictEqual({ cartId: cart.id, mode: 'live', erasedAtMs: NOW_MS });
    }
  });

  it('also removes what a later release stored in the item, and keeps the timer of the expiry', async () => {
    const cart = { ...waitingCart(), company: 'Analytical Engines' };
    await documents.send(new PutCommand({ TableName: tableName, Item: toCartItem(cart) }));
    expect(await erase((await carts.find(cart.id)) as Cart)).toBe(1);
    const stored = await documents.send(new GetCommand({ TableName: tableName, Key: { id: cart.id } }));
    expect(stored.Item).toStrictEqual({
      ...erasedCart(cart, NOW_MS),
      ...timerOf('expiry', cart.id, cart.expiresAtMs),
      schemaVersion: 1,
    });
  });

  it('changes nothing when it is repeated, also with the cart as it was before', async () => {
    const cart = waitingCart();
    await carts.create(cart);
    await erase(cart);
    const erased = (await carts.find(cart.id)) as Cart;
    expect(await erase(cart)).toBe(0);
    expect(await erase(erased)).toBe(0);
    expect(await carts.find(cart.id)).toStrictEqual(erased);
  });

  it('does not bring a deleted cart back', async () => {
    const cart = waitingCart();
    expect(await erase(cart)).toBe(0);
    expect(await carts.find(cart.id)).toBeUndefined();
  });

  it('is in the ledger before a cart changes', async () => {
    const cart = waitingCart();
    await carts.create(cart);
    const failing = { ...ledger, add: () => Promise.reject(new Error('down')) };
    const run = recordAndEraseCarts(documents, failing, [{ tableName, cart }], () => NOW_MS);
    await expect(run).rejects.toThrow('down');
    expect(await carts.find(cart.id)).toStrictEqual(cart);
  });

  /** A run whose first write fails with the error `name`, and the number of writes that it sent. */
  const givenFailure = async (name: string) => {
    const cart = waitingCart();
    await carts.create(cart);
    const failing = newClient();
    const sent = { writes: 0 };
    aroundCalls(failing, ({ input }, next) => {
      sent.writes += 1;
      return sent.writes === 1 ? Promise.reject(Object.assign(new Error(name), { name })) : next(input);
    });
    return { run: recordAndEraseCarts(failing, ledger, [{ tableName, cart }], () => NOW_MS), sent };
  };

  it('is repeated after a conflict with a payment', async () => {
    const { run, sent } = await givenFailure('TransactionConflictException');
    expect(await run).toBe(1);
    expect(sent.writes).toBe(2);
  });

  it('fails with any other error of the database', async () => {
    const { run, sent } = await givenFailure('ValidationException');
    await expect(run).rejects.toThrow('ValidationException');
    expect(sent.writes).toBe(1);
  });
});
