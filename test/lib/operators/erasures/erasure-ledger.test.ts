import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createErasureLedger } from '../../../../lib/operators/erasures/erasure-ledger.ts';
import { givenDatabase } from '../../../support/database/database.ts';

it('the ledger keeps an entry for each erased cart, the last one after a repetition, and finds it', async () => {
  const { documents, tableNames } = await givenDatabase();
  const ledger = createErasureLedger(documents, tableNames.erasures);
  const entry = (cartId: string, erasedAtMs: number) => ({ cartId, mode: 'live' as const, erasedAtMs });
  await ledger.add([entry('a', 1), entry('b', 1)]);
  await ledger.add([entry('b', 2), { ...entry('c', 2), mode: 'test' }]);

  const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableNames.erasures }));
  expect(Items.toSorted((a, b) => (String(a['cartId']) < String(b['cartId']) ? -1 : 1))).toStrictEqual([
    entry('a', 1),
    entry('b', 2),
    { ...entry('c', 2), mode: 'test' },
  ]);
  expect(await ledger.find(['b', 'none', 'c'])).toStrictEqual(new Set(['b', 'c']));
});
