import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** The paths of the platform's own operations begin with this. */
const INTERNAL_PATH = '/internal';

/** Resources of the API to which the policy belongs: any stage and any method of these paths. */
const ofPaths = (...paths: readonly string[]): string[] => paths.map((path) => `execute-api:/*/*${path}`);

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
  const invoke = { principals: [new AnyPrincipal()], actions: ['execute-api:Invoke'] };
  // The key holds the role of a session. Requests without a signature have no such key: this condition holds for them.
  const isOther = paymentRoleArn !== undefined && { ArnNotEquals: { [ROLE_OF_CALLER]: paymentRoleArn } };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ sid: 'AllowAll', ...invoke, resources: ['execute-api:/*'] }),
      new PolicyStatement({
        sid: 'DenyInternal',
        effect: Effect.DENY,
        ...invoke,
        resources: ofPaths(INTERNAL_PATH, `${INTERNAL_PATH}/*`),
        ...(isOther && { conditions: isOther }),
      }),
      new PolicyStatement({
        sid: 'DenyOtherSignatures',
        effect: Effect.DENY,
        ...invoke,
        resources: ['execute-api:/*'],
        conditions: { ...isOther, Null: { [ROLE_OF_CALLER]: 'false' } },
      }),
    ],
  });
};
