import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import type { AnyCommand } from '../observe.ts';
import type { CallKind, Parts, Scope } from './call.ts';
import { conditions, updates } from './expressions.ts';
import { attributes } from './values.ts';

const ids = fc.integer({ min: 0, max: 3 });
const OLD_ON_FAILURE = fc.constantFrom(undefined, 'ALL_OLD', 'NONE');

const checks = conditions.filter((condition) => 'ConditionExpression' in condition);

const actions = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      put: fc.record({ id: ids, attributes, condition: conditions, old: OLD_ON_FAILURE }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ update: fc.record({ id: ids, condition: updates, old: OLD_ON_FAILURE }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ remove: fc.record({ id: ids, condition: conditions, old: OLD_ON_FAILURE }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ check: fc.record({ id: ids, condition: checks, old: OLD_ON_FAILURE }) }),
  },
);

const actionOf = ({ put, update, remove, check }: Parts, { one, key }: Scope): object => {
  const { id, condition, old } = put ?? update ?? remove ?? check;
  const fields = { TableName: one, ...condition, ReturnValuesOnConditionCheckFailure: old };
  const keyed = { ...fields, Key: { pk: key(id) } };
  if (put) return { Put: { ...fields, Item: { ...put.attributes, pk: key(id) } } };
  if (update) return { Update: keyed };
  return remove ? { Delete: keyed } : { ConditionCheck: keyed };
};

const build = ({ items, token, many, extra }: Parts, scope: Scope): AnyCommand => {
  const TransactItems = [
    ...items.map((item: Parts) => actionOf(item, scope)),
    ...Array.from({ length: many }, (_, index) => ({
      Delete: { TableName: scope.one, Key: { pk: scope.key(1_000 + index) } },
    })),
  ];
  const ClientRequestToken = token === undefined ? {} : { ClientRequestToken: scope.token(token) };
  return new TransactWriteCommand({ TransactItems, ...ClientRequestToken, ...extra } as never) as AnyCommand;
};

const extra = fc.constantFrom(
  {},
  {},
  {},
  {},
  { ReturnConsumedCapacity: 'TOTAL' },
  { TransactItems: undefined },
);

const none = fc.constant(0);
const token = fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined });

export const transactions: Readonly<Record<string, CallKind>> = {
  TransactWrite: {
    weight: 5,
    parts: fc.record({
      items: fc.uniqueArray(actions, {
        maxLength: 3,
        // DynamoDB rejects two actions on one item.
        selector: (action: Parts) =>
          (action.put ?? action.update ?? action.remove ?? action.check).id as number,
      }),
      token,
      many: fc.oneof({ weight: 40, arbitrary: none }, fc.constant(101)),
      extra,
    }),
    build,
  },
  // Other items under a used token are an IdempotentParameterMismatch.
  'TransactWrite of the same item': {
    weight: 1,
    parts: fc.record({ items: fc.array(actions, { minLength: 1, maxLength: 2 }), token, many: none, extra }),
    build,
  },
};
