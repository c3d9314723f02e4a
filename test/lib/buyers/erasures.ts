import { randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { paymentTablesOf } from '../../../infra/payment-tables.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import {
  createErasureDependencies,
  type ErasureRun,
  runErasures,
  type RunErasuresDependencies,
} from '../../../lib/buyers/run-erasures.ts';
import { toItem } from '../../../lib/carts/cart-item.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createAbandonmentStores, recordAbandonments } from '../../../lib/carts/record-abandonment.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { payment, waitingCart } from '../../support/payments.ts';

/** How long the stage keeps personal data. */
export const DAYS = 730;
export const DAY_SECONDS = 86_400;

export const NOTHING: ErasureRun = { erased: { live: 0, test: 0 }, failed: 0, lagMs: 0 };

/** When the data of a cart of `NOW_MS` must be gone: the day after the last one. */
export const DUE_AT_MS = Date.UTC(2026, 0, 15) + (DAYS + 1) * DAY_SECONDS * 1_000;

/** A stage with completed carts, and the runs that erase their personal data. */
export const givenErasures = async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const tables = paymentTablesOf(tableNames);
  const begin = () => {
    const clock = manualClock();
    const { now } = clock;
    const personalDataDays = DAYS;
    return { clock, dependencies: createErasureDependencies(documents, tables, { personalDataDays, now }) };
  };
  const tableOf = (mode: Mode): string => (mode === 'live' ? tableNames.carts : tableNames.testCarts);

  /** The ids of the stored entries of a mode. */
  const entriesOf = async (mode: Mode): Promise<string[]> => {
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName: tableNames.due,
        KeyConditionExpression: '#bucket = :bucket',
        ExpressionAttributeNames: { '#bucket': 'bucket' },
        ExpressionAttributeValues: { ':bucket': `personal-data#${mode}` },
      }),
    );
    return Items.map(({ id }) => String(id));
  };

  const stage = {
    ...begin(),
    database,
    tables,
    entriesOf,

    /** Returns to `NOW_MS`. The runs of other tests left nothing. */
    async restart(): Promise<void> {
      Object.assign(stage, begin());
      expect([await entriesOf('live'), await entriesOf('test')]).toStrictEqual([[], []]);
    },

    run: (changes: Partial<RunErasuresDependencies> = {}, signal?: AbortSignal): Promise<ErasureRun> =>
      runErasures({ ...stage.dependencies, ...changes }, signal),

    /** Stores a cart that was completed at `NOW_MS`. */
    async givenCart(changes: Partial<Cart> = {}): Promise<Cart> {
      const paid = { status: 'completed', payments: [payment()], updatedAtMs: NOW_MS } as const;
      const { deleteAtSeconds: _, ...cart } = waitingCart({ storeId: randomUUID(), ...paid, ...changes });
      await documents.send(new PutCommand({ TableName: tableOf(cart.mode), Item: toItem(cart) }));
      return cart;
    },

    /** Looks at carts after their expiry, as the service does with each cart once. */
    expire: (carts: readonly Cart[], mode: Mode = 'live'): Promise<unknown> =>
      recordAbandonments(
        { mode, cartIds: carts.map(({ id }) => id) },
        createAbandonmentStores(documents, tables, { now: stage.clock.now }),
      ),

    find: ({ id, mode }: Cart): Promise<Cart | undefined> =>
      createCartStore(documents, tableOf(mode), stage.clock.now).find(id),
  };
  return stage;
};
