import { CfnOutput, CfnParameter, type Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { StageConfig } from '../stage/stage-config.ts';

/** The parameter that the first deployment of a stage stores. CloudFormation's message for a missing one has its name. */
const createdParameter = (stageName: string): string => `/cart-checkout/${stageName}/first-deployment-done`;

/**
 * Lets only a stage that exists become protected. CloudFormation reads the parameter before it creates anything, and before the
 * command line of the CDK sets the termination protection. A first deployment that is protected thus fails with nothing to undo.
 */
export const addProtection = (stack: Stack, { name, isProtected }: StageConfig): void => {
  const parameterName = createdParameter(name);
  new StringParameter(stack, 'FirstDeployment', { parameterName, stringValue: 'true' });
  const value = isProtected
    ? new CfnParameter(stack, 'FirstDeploymentDone', {
        type: 'AWS::SSM::Parameter::Value<String>',
        default: parameterName,
      }).valueAsString
    : 'false';
  // `keys issue --mode live` reads it.
  new CfnOutput(stack, 'Protected', { value });
};
