import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/**
 * Makes the secret with which the functions hash source addresses. It reaches them in their environment, so no request
 * waits for it. After the stack is deleted, nobody can trace a hash in its logs.
 *
 * @returns a reference, which CloudFormation resolves when it deploys a function
 */
export const sourceHashKey = (scope: Construct): string => {
  const secret = new Secret(scope, 'SourceHashKey', {
    description: 'Hashes the source addresses in the logs',
    generateSecretString: { excludePunctuation: true, passwordLength: 64 },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'The key grants no access. A new one would separate the log lines of one source.',
  });
  return secret.secretValue.unsafeUnwrap();
};
