import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { openSearchFile, searchBuyer } from '../../../../infra/operate/buyers/search.ts';
import { isSameEmail, readEmail } from '../../../../infra/operate/shared/buyer-email.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { beforeCalls } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { waitingCart } from '../../../support/domain/payments.ts';
import { BUYER } from '../../../support/secrets.ts';

const DAY_MS = 86_400_000;

const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };

const { documents, tableNames } = await givenDatabase();

/** The tables that are scanned, in their order. */
const scanned: string[] = [];
let broken: string | undefined;
beforeCalls(documents, ({ ReturnConsumedCapacity, TableName }) => {
  // Only a scan asks for it.
  if (ReturnConsumedCapacity === undefined) return;
  if (TableName === broken) throw new Error('interrupted');
  scanned.push(String(TableName));
});

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'cart-checkout-search-')), 'buyers', 'one.json');
  scanned.length = 0;
  broken = undefined;
});

/** Searches for an address, and returns what it found and what was said. */
const search = async (email: string, nowMs = NOW_MS) => {
  const said: unknown[] = [];
  const {
    startedAtMs,
    position: _,
    ...found
  } = await searchBuyer({ email }, openSearchFile(file, ['one', email]), {
    ...streams,
    now: () => nowMs,
    pauses: { sleep: async () => {} },
    say: (line) => void said.push(line),
    stage: { documents, tableNames },
  });
  return { startedAtMs, found, said };
};

const givenCart = async (email: string) => {
  const cart = waitingCart({ customerInfo: { ...BUYER, email } });
  await createCartRepository(documents, tableNames.carts, () => NOW_MS).create(cart);
  return { table: 'carts', id: cart.id };
};

const { carts, testCarts, events, deliveries } = tableNames;

describe('a search', () => {
  test('continues after an interruption with what it had found', async () => {
    const email = `${randomUUID()}@buyer.example`;
    const cart = await givenCart(email);
    broken = events;
    await expect(search(email)).rejects.toThrow('interrupted');
    expect(scanned).toStrictEqual([carts, testCarts]);

    broken = undefined;
    scanned.length = 0;
    const { found, startedAtMs, said } = await search(email, NOW_MS + DAY_MS);
    expect(scanned).toStrictEqual([events, deliveries]);
    expect({ found, startedAtMs }).toStrictEqual({
      found: { carts: [cart], events: [], deliveries: [] },
      startedAtMs: NOW_MS,
    });
    expect(said).toContain(
      'Continues the search of 2026-01-15T12:30:00.250Z. It finds no carts created since.',
    );
  });

  test('begins anew for another buyer, and after a day', async () => {
    const [email, other] = [`${randomUUID()}@buyer.example`, `${randomUUID()}@buyer.example`];
    const cart = await givenCart(email);
    await search(email);
    const otherCart = await givenCart(other);
    expect((await search(other)).found.carts).toStrictEqual([otherCart]);
    const later = await givenCart(email);
    await search(email);
    const { found } = await search(email, NOW_MS + DAY_MS + 1);
    expect(found.carts).toEqual(expect.arrayContaining([cart, later]));
  });

  test('begins anew after a file of another form', async () => {
    const email = `${randomUUID()}@buyer.example`;
    const cart = await givenCart(email);
    await search(email);
    const { carts: _, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { readonly carts: unknown };
    writeFileSync(file, JSON.stringify(rest));
    expect((await search(email)).found.carts).toStrictEqual([cart]);
  });

  test('leaves a private file without personal data', async () => {
    const email = `${randomUUID()}@buyer.example`;
    await givenCart(email);
    await search(email);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(email);
  });

  test('reads no deliveries if the stage has nothing about the buyer', async () => {
    const { found } = await search(`${randomUUID()}@buyer.example`);
    expect(found).toStrictEqual({ carts: [], events: [], deliveries: [] });
    expect(scanned).toStrictEqual([carts, testCarts, events]);
  });
});

describe('an e-mail address of a buyer', () => {
  test('matches in any case, and as a whole value only', async () => {
    const email = await readEmail(' Ada@Example.com ', streams);
    const others = ['ada@example.com', 'ADA@example.COM ', 'nada@example.com', undefined];
    expect(others.map((other) => isSameEmail(email, other))).toStrictEqual([true, true, false, false]);
  });

  test.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a"@example.com', 'ada@exämple.com'])(
    'is never %j',
    async (email) => {
      const rejected = readEmail(email, streams);
      await expect(rejected).rejects.toThrow('--email must be one e-mail address, or - for standard input.');
    },
  );
});
