import { MalformedValueError } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

/** The rules of an organisation for each deployment to its accounts. */
export interface AccountRules {
  /** The name or the ARN of the policy that bounds the permissions of every role. */
  readonly permissionsBoundary?: string | undefined;
  /** The qualifier of the bootstrap whose roles and bucket deploy the stage. Default: that of the CDK. */
  readonly qualifier?: string | undefined;
}

/** The characters of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html, with a path. */
const POLICY = /^(?:arn:aws[\w-]*:iam::(?:\d{12}|aws):policy\/)?[\w+=,.@-][\w+=,.@/-]{0,511}$/;

/** The bucket has it in its name. https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html */
const QUALIFIER = /^[a-z0-9]{1,10}$/;

/** @throws MalformedValueError */
export const accountRulesOf = ({ permissionsBoundary, qualifier }: StageContext): AccountRules => {
  if (permissionsBoundary !== undefined && !POLICY.test(permissionsBoundary)) {
    throw new MalformedValueError('permissionsBoundary', 'the name or the ARN of an IAM policy');
  }
  if (qualifier !== undefined && !QUALIFIER.test(qualifier)) {
    throw new MalformedValueError('qualifier', '1 to 10 lower-case letters and digits');
  }
  return { permissionsBoundary, qualifier };
};
