import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in the bundles for the SDK's chain of credential providers (`infra/bundling.ts`). Lambda gives a function its
 * credentials in environment variables, the first place where that chain would look. What it brings for the other places
 * (SSO, STS, sign-in, profiles, metadata services) makes up two fifths of a bundle and a quarter of its import.
 */
export const defaultProvider = (): ReturnType<typeof fromEnv> => fromEnv();
