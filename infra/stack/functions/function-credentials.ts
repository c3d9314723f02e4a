import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * Replaces the function of this name in `@aws-sdk/credential-provider-node`: Lambda sets the credentials of a function in its
 * environment. They last as long as the environment.
 */
export const defaultProvider = () => memoize(fromEnv());
