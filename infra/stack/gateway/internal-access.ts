import { Effect, PolicyDocument, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';

/**
 * The platform's own operations, in any stage and with any method. An asterisk also matches slashes, so this also covers
 * `/api/internal/x`, which is not a route.
 */
const INTERNAL = 'execute-api:/*/*/internal/*';

const EVERYTHING = 'execute-api:/*';

const ROLE_OF_CALLER = 'aws:PrincipalArn';

/**
 * The resource policy of the API. Merchants and buyers call it without a signature. The role of the payment side alone may
 * call it with a signature, and it alone may call `/internal`.
 *
 * IAM alone would let every principal of the account with `execute-api:Invoke` read the buyer of each cart. The first
 * denial is by path. The second is by caller, in case the gateway routes another spelling of a path to an internal
 * operation. The methods themselves require a signature.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 *
 * @param paymentRoleArn the role of the payment side. Without it, nobody may call `/internal`
 */
export const restrictCallers = (paymentRoleArn: string | undefined): PolicyDocument => {
  const invoke = { principals: [new StarPrincipal()], actions: ['execute-api:Invoke'] };
  // The condition key holds the role of a session. A request without a signature has no key, so this condition is true.
  const isOther = paymentRoleArn !== undefined && { ArnNotEquals: { [ROLE_OF_CALLER]: paymentRoleArn } };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ sid: 'AllowAll', ...invoke, resources: [EVERYTHING] }),
      new PolicyStatement({
        sid: 'DenyInternal',
        effect: Effect.DENY,
        ...invoke,
        resources: [INTERNAL],
        ...(isOther && { conditions: isOther }),
      }),
      new PolicyStatement({
        sid: 'DenyOtherSignatures',
        effect: Effect.DENY,
        ...invoke,
        resources: [EVERYTHING],
        conditions: { ...isOther, Null: { [ROLE_OF_CALLER]: 'false' } },
      }),
    ],
  });
};
