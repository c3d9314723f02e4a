import assert from 'node:assert/strict';
import { type ContextEntry, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import type { FunctionName } from '../../../infra/stack/concurrency.ts';
import { BUS_TYPES, type Permission, PERMISSIONS } from '../../../infra/stack/permissions.ts';
import { tableOutputOf } from '../../../infra/tables.ts';
import { BUS_SOURCE } from '../../../lib/events/bus.ts';
import { ACCESSES, DENIED_CALLS, type RoleCall } from '../../support/denied-calls.ts';
import type { Account, Check, CheckedStage } from './checks.ts';

/** A call as IAM sees it: action, resource and condition keys. */
const requestOf = (call: RoleCall, outputs: CheckedStage['outputs'], { arnOf }: Account) => {
  const entry = (
    ContextKeyName: string,
    ContextKeyType: ContextEntry['ContextKeyType'],
    values: readonly string[],
  ) => (values.length === 0 ? [] : [{ ContextKeyName, ContextKeyType, ContextKeyValues: [...values] }]);
  if ('eventType' in call) {
    return {
      ActionNames: ['events:PutEvents'],
      ResourceArns: [arnOf('events', `event-bus/${outputs['EventBusName']}`)],
      ContextEntries: [
        ...entry('events:source', 'string', [BUS_SOURCE]),
        ...entry('events:detail-type', 'string', [call.eventType]),
      ],
    };
  }
  const { table, action, index, partitionKey, attributes } = call;
  const name = `table/${outputs[tableOutputOf(table)]}${index === undefined ? '' : `/index/${index}`}`;
  return {
    ActionNames: [`dynamodb:${action}`],
    ResourceArns: [arnOf('dynamodb', name)],
    ContextEntries: [
      ...entry('dynamodb:LeadingKeys', 'stringList', partitionKey === undefined ? [] : [partitionKey]),
      ...entry('dynamodb:Attributes', 'stringList', attributes),
    ],
  };
};

/** A text that an IAM pattern matches. */
const example = (pattern: string): string => pattern.replaceAll('*', 'x').replaceAll('?', '0');

const neededCall = ({ table, action, index, attributes = [], partitionKeys }: Permission): RoleCall => ({
  table,
  action,
  index,
  attributes,
  ...(partitionKeys !== undefined && { partitionKey: example(partitionKeys) }),
});

/** One call for each permission of a function. A simulation that denies everything would not show a denied call. */
const neededCalls = (name: FunctionName): readonly RoleCall[] => {
  const permissions = (ACCESSES.get(name) ?? []).flatMap((access) => PERMISSIONS[access]);
  const types = name in BUS_TYPES ? [BUS_TYPES[name as keyof typeof BUS_TYPES]] : [];
  return [...permissions.map(neededCall), ...types.map((type) => ({ eventType: example(type) }))];
};

/** `get-cart` becomes `GetCartRole`, the logical id of its role. */
const roleIdOf = (name: FunctionName): string =>
  `${name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Role`;

/** The policy simulator of IAM permits what each function needs, and denies what it must not do. */
export const ROLE_CHECKS: readonly Check[] = DENIED_CALLS.map(({ functionName, what, call }) => ({
  name: `the role of ${functionName} may not ${what}`,
  runOnAws: async ({ outputs }, account) => {
    const PolicySourceArn = account.arnOf('iam', `role/${account.resource(roleIdOf(functionName))}`);
    const isPermitted = async (simulated: RoleCall): Promise<boolean> => {
      const request = { PolicySourceArn, ...requestOf(simulated, outputs, account) };
      const { EvaluationResults } = await account.iam.send(new SimulatePrincipalPolicyCommand(request));
      return EvaluationResults?.[0]?.EvalDecision === 'allowed';
    };
    const needed = neededCalls(functionName);
    for (const each of needed) assert(await isPermitted(each), `It lacks ${JSON.stringify(each)}`);
    assert(!(await isPermitted(call)), 'It may');
    return `${needed.length} needed calls are permitted`;
  },
}));
