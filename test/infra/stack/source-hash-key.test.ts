import { describe, expect, it } from 'vitest';
import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { branchStage } from '../../support/stack/template.ts';

const branch = branchStage().template;

describe('the secret that hashes source addresses', () => {
  it('is random for each stage, goes with its stack, and reaches the functions of requests alone', () => {
    const secrets = branch.findResources('AWS::SecretsManager::Secret');
    expect(Object.values(secrets)).toMatchObject([
      {
        DeletionPolicy: 'Delete',
        Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 } },
      },
    ]);
    const functions = Object.values(branch.findResources('AWS::Lambda::Function'));
    const withKey = functions.filter((resource) =>
      JSON.stringify(resource).includes('resolve:secretsmanager'),
    );
    expect(withKey).toHaveLength(HTTP_FUNCTION_NAMES.length);
  });
});
