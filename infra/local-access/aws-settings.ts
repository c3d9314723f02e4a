import { devNull } from 'node:os';

/**
 * Hides every setting of the developer's AWS account from the AWS SDK in this process: variables, profiles and configuration
 * files, credentials of the machine. The local stage and what works on it then use its own, and real keys are never sent.
 */
export const hideAwsSettings = (env: NodeJS.ProcessEnv = process.env): void => {
  for (const name of Object.keys(env)) if (/^AWS_/i.test(name)) Reflect.deleteProperty(env, name);
  Object.assign(env, {
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
  });
};
