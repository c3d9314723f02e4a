import { Effect, PolicyDocument, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';

/**
 * The platform's own operations, in any stage and with any method. An asterisk also stands for slashes, so this covers
 * `/api/internal/x` too, which is no route.
 */
const INTERNAL = 'execute-api:/*/*/internal/*';

const EVERYTHING = 'execute-api:/*';

const ROLE_OF_CALLER = 'aws:PrincipalArn';

/**
 * The resource policy of the API. Merchants and buyers call it without a signature. Of the callers with a signature, only
 * the role of the payment side may call anything, and only it may call `/internal`.
 *
 * IAM alone would let every principal of the account with `execute-api:Invoke` read each cart's buyer. The first denial
 * covers the paths. The second covers the callers: it holds for every spelling of a path that the gateway may still route
 * to an internal operation. The methods themselves demand a signature.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 *
 * @param paymentRoleArn the role of the payment side. Without it, nobody may call `/internal`
 */
export const restrictCallers = (paymentRoleArn: string | undefined): PolicyDocument => {
  const invoke = { principals: [new StarPrincipal()], actions: ['execute-api:Invoke'] };
  // The key holds the role of a session. Requests without a signature have no such key: this condition holds for them.
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
