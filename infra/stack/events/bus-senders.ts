import { Stack } from 'aws-cdk-lib';
import type { CfnEventBus, EventBus } from 'aws-cdk-lib/aws-events';
import {
  AnyPrincipal,
  ArnPrincipal,
  Effect,
  type IRole,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import type { PaymentSenders } from '../../stage/payment-senders.ts';

const rolesOf = ({ roleArn, operatorRoleArn }: PaymentSenders): string[] =>
  [roleArn, operatorRoleArn].filter((arn) => arn !== undefined);

/** The accounts from which payment events may come: those of the roles, or the stage's own. */
export const senderAccounts = (senders: PaymentSenders, ownAccount: string): string[] => {
  const accounts = rolesOf(senders).map((arn) => arn.split(':')[4] ?? '');
  return accounts.length === 0 ? [ownAccount] : [...new Set(accounts)];
};

/**
 * Denies PutEvents on a stage's bus to everyone but the roles of the senders and the stage's own publishers. Without a role
 * for payments, IAM alone decides: every principal of the account with the permission may put events.
 *
 * The condition names roles, because a session has the ARN of its role as `aws:PrincipalArn`. IAM advises against
 * `NotPrincipal`, which would need each session's ARN.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
 */
export const restrictSenders = (
  eventBus: EventBus,
  senders: PaymentSenders,
  publishers: readonly IRole[],
): void => {
  const roles = rolesOf(senders);
  if (roles.length === 0) return;
  const bus = eventBus.node.defaultChild as CfnEventBus;
  const stack = Stack.of(eventBus);
  // Not `eventBusArn`: a resource cannot refer to itself.
  const arn = stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: bus.name });
  const putEvents = { actions: ['events:PutEvents'], resources: [arn] };
  const permitted = [...roles, ...publishers.map(({ roleArn }) => roleArn)];
  // A property, because the AWS emulator of the deployment test does not know the resource EventBusPolicy.
  bus.policy = new PolicyDocument({
    statements: [
      // A role of another account also needs a permission of its own. A role of this account needs only this statement.
      new PolicyStatement({
        sid: 'AllowSenders',
        principals: roles.map((role) => new ArnPrincipal(role)),
        ...putEvents,
      }),
      new PolicyStatement({
        sid: 'DenyOthers',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        ...putEvents,
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': permitted } },
      }),
    ],
  });
};
