import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { reportErasures } from '../../../lib/buyers/report-erasures.ts';
import { createErasureDependencies, runErasures } from '../../../lib/buyers/run-erasures.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { recordUnits } from '../../support/consumed-units.ts';
import { unlessExempt } from '../../support/exemptions.ts';
import { logged } from '../../support/log-lines.ts';
import { DAY_SECONDS, DAYS, givenErasures, NOTHING } from './erasures.ts';

const stage = await givenErasures();
const { find, givenCart, run } = stage;
const { documents, tableNames } = stage.database;

beforeEach(stage.restart);

describe('a cart that fails', () => {
  it('stays alone in its entry, blocks no other, and is logged without its buyer', async () => {
    const carts = [await givenCart(), await givenCart(), await givenCart()];
    const [broken, ...others] = carts as [Cart, Cart, Cart];
    await stage.dependencies.schedule.put(carts);
    const change = (UpdateExpression: string, values?: object) =>
      documents.send(
        new UpdateCommand({
          TableName: tableNames.carts,
          Key: { id: broken.id },
          UpdateExpression,
          ...(values && { ExpressionAttributeValues: values }),
        }),
      );
    await change('REMOVE productName');
    stage.clock.advance((DAYS + 3) * DAY_SECONDS);
    let result = NOTHING;
    const lines = await logged(async () => {
      result = await run();
      reportErasures(result);
    });
    expect(result).toMatchObject({ erased: { live: 2 }, failed: 1 });
    for (const cart of others) expect(await find(cart)).toMatchObject({ customerInfo: {} });
    expect(lines).toMatchObject([
      { message: 'erasure', level: 'ERROR', failed: 1, cartId: broken.id },
      { ErasureLagHours: 61 },
      { message: 'erasures', erased: { live: 2, test: 0 }, failed: 1, lagHours: 61 },
    ]);

    let reads: readonly string[] = [];
    const { findCarts } = stage.dependencies;
    await logged(() =>
      run({
        findCarts: (found, signal) => {
          reads = found.cartIds;
          return findCarts(found, signal);
        },
      }),
    );
    expect(reads).toStrictEqual([broken.id]);
    await change('SET productName = :name', { ':name': broken.productName });
    expect(await run()).toMatchObject({ erased: { live: 1 }, failed: 0 });
  });

  it('does not hide the entries behind one that cannot be read', async () => {
    const Item = { bucket: 'personal-data#live', id: '2026-01-01#of-a-later-release', carts: {} };
    await documents.send(new PutCommand({ TableName: tableNames.due, Item }));
    await stage.dependencies.schedule.put([await givenCart()]);
    stage.clock.advance((DAYS + 1) * DAY_SECONDS);
    let result = NOTHING;
    await logged(async () => {
      result = await run();
    });
    expect(result).toMatchObject({ erased: { live: 1 }, failed: 1 });
    const entry = { mode: 'live', id: Item.id, completedFromMs: 0, cartIds: [] } as const;
    await stage.dependencies.schedule.keep(entry, []);
  });
});

/** Dependencies whose units are counted by operation. */
const givenUnits = () => {
  const client = createDocumentClient(localClientConfig(stage.database.endpoint));
  const { personalDataDays, now } = stage.dependencies;
  const measured = createErasureDependencies(client, stage.tables, { personalDataDays, now });
  const units = new Map<string, number>();
  recordUnits(client, ({ operation, units: consumed }) => {
    units.set(operation, (units.get(operation) ?? 0) + consumed);
  });
  return { measured, units };
};

it('an idle run costs one read unit', async () => {
  const { measured, units } = givenUnits();
  await runErasures(measured);
  expect(Object.fromEntries(units)).toStrictEqual({ Query: unlessExempt('units of an empty page', 1) });
});

it('an erasure costs a read unit and a write unit of its cart', async () => {
  const { measured, units } = givenUnits();
  await stage.dependencies.schedule.put(await Promise.all(Array.from({ length: 10 }, () => givenCart())));
  stage.clock.advance((DAYS + 1) * DAY_SECONDS);
  expect(await runErasures(measured)).toMatchObject({ erased: { live: 10 } });
  expect(Object.fromEntries(units)).toStrictEqual({
    // One of the modes has no entry.
    Query: unlessExempt('units of an empty page', 1),
    BatchGetItem: 10,
    UpdateItem: 10,
    DeleteItem: 1,
  });
});

it('an idle run writes nothing, so that an unused stage pays for no log and no metric', async () => {
  expect(await logged(async () => reportErasures(await run()))).toStrictEqual([]);
});

it('a run counts the hours of its lag that have begun, if it is more than a day late', async () => {
  const lateBy = (lagMs: number) => logged(async () => reportErasures({ ...NOTHING, lagMs }));
  expect(await lateBy(24 * 3_600_000)).toStrictEqual([]);
  expect(await lateBy(24 * 3_600_000 + 1)).toMatchObject([{ ErasureLagHours: 25 }]);
});
