import { isIP } from 'node:net';
import { hostOf } from './host.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The addresses of a host that needs no DNS. Only the local stage allows `localhost`, which the DNS may lack. */
const knownAddressesOf = (url: URL): readonly string[] | undefined => {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  return url.protocol === 'http:' && host === 'localhost' ? ['127.0.0.1', '::1'] : undefined;
};

/** Whether only the DNS knows the addresses of a URL's host. */
export const needsDns = (url: URL): boolean => knownAddressesOf(url) === undefined;

/**
 * Returns the addresses of a URL's host if each is public, or for `http`, a loopback address. Otherwise, it returns `undefined`.
 *
 * @throws as {@link ResolveHost}
 */
export const allowedAddressesOf = async (
  url: URL,
  resolve: ResolveHost,
): Promise<readonly string[] | undefined> => {
  const isAllowed = url.protocol === 'http:' ? isLoopbackAddress : isPublicAddress;
  const addresses = knownAddressesOf(url) ?? (await resolve(hostOf(url)));
  return addresses.every(isAllowed) ? addresses : undefined;
};
