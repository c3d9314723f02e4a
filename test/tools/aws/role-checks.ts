import assert from 'node:assert/strict';
import { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { type FunctionName, FUNCTIONS } from '../../../functions/function-needs.ts';
import { PERMISSIONS } from '../../../infra/stack/database/permissions.ts';
import { BUS_TYPES } from '../../../infra/stack/events/bus-types.ts';
import { tableOutputOf } from '../../../infra/stage/tables.ts';
import { pascalCase } from '../../../lib/core/letter-case.ts';
import { BUS_SOURCE } from '../../../lib/events/bus.ts';
import { DENIED_CALLS } from '../../support/operations/all-rows.ts';
import type { RoleCall } from '../../support/operations/row-types.ts';
import type { Account, Check, CheckedStage } from './checked-stage.ts';

/** IAM's reference types each of these keys as a list. */
type ConditionKey = readonly [name: string, values: readonly string[]];

/** A call as IAM sees it. */
const requestOf = (call: RoleCall, outputs: CheckedStage['outputs'], arnOf: Account['arnOf']) => {
  const request = (action: string, arn: string, keys: readonly ConditionKey[]) => ({
    ActionNames: [action],
    ResourceArns: [arn],
    ContextEntries: keys.flatMap(([ContextKeyName, values]) =>
      values.length === 0
        ? []
        : [{ ContextKeyName, ContextKeyType: 'stringList' as const, ContextKeyValues: [...values] }],
    ),
  });
  if ('eventType' in call) {
    return request('events:PutEvents', arnOf('events', `event-bus/${outputs['EventBusName']}`), [
      ['events:source', [BUS_SOURCE]],
      ['events:detail-type', [call.eventType]],
    ]);
  }
  const { table, action, index, partitionKey, attributes } = call;
  const name = `table/${outputs[tableOutputOf(table)]}${index === undefined ? '' : `/index/${index}`}`;
  return request(`dynamodb:${action}`, arnOf('dynamodb', name), [
    ['dynamodb:LeadingKeys', partitionKey === undefined ? [] : [partitionKey]],
    ['dynamodb:Attributes', attributes],
  ]);
};

/** A text that an IAM pattern matches. */
const example = (pattern: string): string => pattern.replaceAll('*', 'x').replaceAll('?', '0');

/** A call for each permission of a function. Without them, a simulation that denies everything would pass. */
const neededCalls = (name: FunctionName): readonly RoleCall[] => [
  ...FUNCTIONS[name].access
    .flatMap((access) => PERMISSIONS[access])
    .map(({ table, action, index, attributes = [], partitionKeys }) => {
      const partitionKey = partitionKeys === undefined ? undefined : example(partitionKeys);
      return { table, action, index, attributes, partitionKey };
    }),
  ...(name in BUS_TYPES
    ? BUS_TYPES[name as keyof typeof BUS_TYPES].map((type) => ({ eventType: example(type) }))
    : []),
];

/** The logical id of a role: `get-cart` has `GetCartRole`. */
export const roleIdOf = (name: FunctionName): string => `${pascalCase(name)}Role`;

/** The policy simulator of IAM permits what each function needs, and denies what it must not do. */
export const ROLE_CHECKS: readonly Check[] = DENIED_CALLS.map(([functionName, what, call]) => ({
  name: `the role of ${functionName} may not ${what}`,
  needs: 'aws',
  run: async ({ outputs, account }) => {
    const { iam, arnOf, resource } = account;
    const PolicySourceArn = arnOf('iam', `role/${resource(roleIdOf(functionName))}`);
    const isPermitted = async (simulated: RoleCall): Promise<boolean> => {
      const request = { PolicySourceArn, ...requestOf(simulated, outputs, arnOf) };
      const { EvaluationResults } = await iam.send(new SimulatePrincipalPolicyCommand(request));
      return EvaluationResults?.[0]?.EvalDecision === 'allowed';
    };
    const needed = neededCalls(functionName);
    for (const each of needed) assert(await isPermitted(each), `It lacks ${JSON.stringify(each)}`);
    assert(!(await isPermitted(call)), 'It may');
    return `${needed.length} needed calls are permitted`;
  },
}));
