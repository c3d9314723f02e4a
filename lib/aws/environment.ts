import type { Credentials } from './signature.ts';

/** The domains of the partitions other than `aws`, by the prefix of their regions. Source: the SDK's partitions. */
const SUFFIXES = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
] as const;

/**
 * The region of the environment. Lambda sets it.
 *
 * @throws Error if there is none, with the SDK's message
 */
export const environmentRegion = (): string => {
  const region = process.env['AWS_REGION'];
  if (!region) throw new Error('Region is missing');
  return region;
};

/**
 * The endpoint of a service in the environment, such as an emulator's.
 *
 * @param serviceId the service's name in `AWS_ENDPOINT_URL_…`
 * @throws Error if it has a path, because the client signs and calls `/`
 */
export const environmentEndpoint = (serviceId: string): URL | undefined => {
  const names = [`AWS_ENDPOINT_URL_${serviceId}`, 'AWS_ENDPOINT_URL'];
  const name = names.find((variable) => process.env[variable]);
  if (name === undefined) return undefined;
  const endpoint = new URL(process.env[name] as string);
  if (endpoint.pathname !== '/') throw new Error(`${name} has a path: remove it`);
  return endpoint;
};

/**
 * The endpoint of a service in a region.
 *
 * @param host the first label of its host name
 */
export const regionEndpoint = (host: string, region: string): URL => {
  const [, suffix = 'amazonaws.com'] = SUFFIXES.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return new URL(`https://${host}.${region}.${suffix}`);
};

/**
 * The credentials of the environment. Lambda sets those of the function's role.
 *
 * @throws CredentialsProviderError if there are none
 */
export const environmentCredentials = (): Credentials => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    const error = new Error('Unable to find environment variable credentials.');
    throw Object.assign(error, { name: 'CredentialsProviderError' });
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
