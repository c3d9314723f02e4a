import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** The parser would take `::8.8.8.8` for an IPv4-mapped address. A system would connect to the IPv6 address. */
const IPV4_COMPATIBLE = /^[0:]+\d+\./;

/** Parses an address in its usual form. `undefined` for any other text, and for an address with a zone. */
const parse = (text: string): Address | undefined =>
  isIP(text) === 0 || text.includes('%') || IPV4_COMPATIBLE.test(text) ? undefined : ipaddr.process(text);

/** The addresses that IANA assigns to networks: all others have a special purpose, or none. RFC 4291, 2.4 */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IPv6 address ends with an IPv4 address, after the mark of ISATAP. RFC 5214, 6.1 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local (with the cloud's metadata), shared,
 * multicast, reserved and documentation addresses are not. Neither are those that contain an IPv4 address, such as NAT64,
 * 6to4 and ISATAP. An IPv4-mapped address counts as its IPv4 address.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST_IPV6) && !isIsatap(address) : true;
};

/** Whether an IP address is a loopback address: this machine itself. */
export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback';

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns all addresses of a host name, those of IPv4 first. Throws if there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the DNS for all addresses of a host name. `dns.lookup` would read `/etc/hosts`, and a name server that hangs would
 * occupy the threads that all lookups of the process share.
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0) throw new Error('The host has no address');
  return addresses;
};

/** The addresses of a URL's host. If the host is an IP address, it is the only one. */
const addressesOf = async (url: URL, resolve: ResolveHost): Promise<readonly string[]> => {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  // Only the local stage allows `localhost`, and the DNS may not have it.
  return url.protocol === 'http:' && host === 'localhost' ? ['127.0.0.1', '::1'] : resolve(host);
};

/**
 * Returns the addresses of a URL's host, if each is public, or of this machine for `http`. Otherwise, it returns `undefined`.
 * Throws if the host has no address.
 */
export const allowedAddressesOf = async (
  url: URL,
  resolve: ResolveHost,
): Promise<readonly string[] | undefined> => {
  const isAllowed = url.protocol === 'http:' ? isLoopbackAddress : isPublicAddress;
  const addresses = await addressesOf(url, resolve);
  return addresses.every(isAllowed) ? addresses : undefined;
};
