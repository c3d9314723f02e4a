import assert from 'node:assert/strict';
import type { FunctionName } from '../../../functions/function-needs.ts';
import { tableOutputOf } from '../../../infra/stage/tables.ts';
import { moveCounter } from '../../../lib/events/event-counter.ts';
import { eventAttributesOf } from '../../../lib/events/event-item.ts';
import type { TransactItem } from '../../../lib/events/event-transaction.ts';
import type { EventFamily } from '../../../lib/events/event-types.ts';
import { logKey } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import type { Check } from './checked-stage.ts';
import { roleIdOf } from './role-checks.ts';

const LIVE: StoreMode = { storeId: 'rights-check', mode: 'live' };
const TEST: StoreMode = { storeId: 'rights-check', mode: 'test' };

/** A log, and the families whose bodies an item has. */
type Written = readonly [log: StoreMode, ...families: readonly EventFamily[]];

/** For each role that writes events: a transaction that it may make, and those that it may not. */
const TRANSACTIONS: Readonly<
  Partial<Record<FunctionName, { readonly may: Written; readonly mayNot: readonly Written[] }>>
> = {
  'record-payment': { may: [LIVE, 'payment'], mayNot: [[LIVE, 'endpoint']] },
  'expire-cart': { may: [LIVE, 'abandonment'], mayNot: [[LIVE, 'payment']] },
  'run-timers': { may: [LIVE, 'abandonment'], mayNot: [[LIVE, 'payment']] },
  'webhook-endpoints': {
    may: [LIVE, 'endpoint'],
    mayNot: [
      [LIVE, 'payment'],
      [LIVE, 'endpoint', 'payment'],
    ],
  },
  'deliver-webhooks': { may: [LIVE, 'endpoint'], mayNot: [[LIVE, 'payment']] },
  'sandbox-checkout': {
    may: [TEST, 'payment', 'abandonment'],
    mayNot: [
      [LIVE, 'payment'],
      [TEST, 'endpoint'],
    ],
  },
};

/** The transaction of a writer. Its condition fails, so that it writes nothing even if the role may make it. */
const transactionOf = (TableName: string, [log, ...families]: Written): TransactItem[] => {
  const texts = Object.fromEntries(eventAttributesOf(families).map((name) => [name, 'rights-check']));
  return [
    {
      Put: {
        TableName,
        Item: { ...texts, log: logKey(log), sequence: 1 },
        ConditionExpression: 'attribute_exists(#log)',
        ExpressionAttributeNames: { '#log': 'log' },
      },
    },
    moveCounter(TableName, log, undefined, { sequence: 1, recordedAtMs: 1 }),
  ];
};

/** Real calls with the credentials of each role that writes events. */
export const TRANSACTION_CHECKS: readonly Check[] = Object.entries(TRANSACTIONS).map(
  ([name, { may, mayNot }]) => ({
    name: `the role of ${name} writes the events of its own families alone`,
    needs: 'aws',
    run: async ({ outputs, account }) => {
      const { assumeRole, resource } = account;
      const role = await assumeRole(resource(roleIdOf(name as FunctionName)));
      const tableName = outputs[tableOutputOf('events')] ?? '';
      assert.equal(await role.transact(transactionOf(tableName, may)), 'permitted', 'It lacks its own');
      for (const each of mayNot) {
        const [{ mode }, ...families] = each;
        const result = await role.transact(transactionOf(tableName, each));
        assert.equal(result, 'denied', `It may write ${mode} events of ${families.join(' and ')}`);
      }
      return `1 transaction is permitted, ${mayNot.length} denied`;
    },
  }),
);
