import { expect, it } from 'vitest';
import { createErasureLedger, type Erasure } from '../../../lib/buyers/erasure-ledger.ts';
import { givenDatabase } from '../../support/database.ts';

it('the ledger keeps an entry for each erased cart, the last one after a repetition', async () => {
  const { documents, tableNames } = await givenDatabase();
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const entry = (cartId: string, erasedAtMs: number): Erasure => ({ cartId, mode: 'live', erasedAtMs });
  await ledger.add([entry('a', 1), entry('b', 1)]);
  await ledger.add([entry('b', 2), { ...entry('c', 2), mode: 'test' }]);

  const entries: Erasure[] = [];
  for await (const page of ledger.pages()) entries.push(...page);
  expect(entries.toSorted((a, b) => (a.cartId < b.cartId ? -1 : 1))).toStrictEqual([
    entry('a', 1),
    entry('b', 2),
    { ...entry('c', 2), mode: 'test' },
  ]);
});
