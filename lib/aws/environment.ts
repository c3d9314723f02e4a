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
 * The endpoint of a service: that of the environment, or else the one of the region.
 *
 * @param serviceId the service's name in `AWS_ENDPOINT_URL_…`
 * @param host the first label of its host name
 */
export const environmentEndpoint = (serviceId: string, host: string, region: string): string => {
  const { [`AWS_ENDPOINT_URL_${serviceId}`]: own = '', AWS_ENDPOINT_URL: common = '' } = process.env;
  if (own !== '') return own;
  if (common !== '') return common;
  const [, suffix = 'amazonaws.com'] = SUFFIXES.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `https://${host}.${region}.${suffix}`;
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
