import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { hostOf } from './host.ts';

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

/** Returns all addresses of a host name, those of IPv4 first. Throws if there is none, or a {@link SilentDnsError}. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** The DNS did not respond. Whether the host has an address is unknown. */
export class SilentDnsError extends Error {
  override readonly name = 'SilentDnsError';
}

/** Far below the time limits of a request and of an attempt: the caller chooses the name server. */
const DNS_TIMEOUT_MS = 1_500;

/** The resolver sends a lost packet again after 0.5 to 1 s, because c-ares checks its timeouts rarely. */
const newDnsResolver = (): Resolver => new Resolver({ timeout: 500, tries: 2 });

/**
 * The errors after which another query may find an address. Resolvers report SERVFAIL for a domain whose own name server is
 * silent. https://nodejs.org/api/dns.html#error-codes
 */
const NO_RESPONSE = new Set(['ECANCELLED', 'ECONNREFUSED', 'ESERVFAIL', 'ETIMEOUT']);

const isNoResponse = (result: PromiseSettledResult<unknown>): boolean =>
  result.status === 'rejected' && NO_RESPONSE.has(String((result.reason as { code?: unknown }).code));

/**
 * Asks the DNS for all addresses of a host name, for at most 1.5 s. `dns.lookup` would read `/etc/hosts`. All lookups of the
 * process also share its threads, which a name server that hangs would occupy.
 */
export const createResolveHost =
  (newResolver = newDnsResolver): ResolveHost =>
  async (hostname) => {
    const resolver = newResolver();
    const timer = setTimeout(() => resolver.cancel(), DNS_TIMEOUT_MS);
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    clearTimeout(timer);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    throw found.some(isNoResponse) ? new SilentDnsError() : new Error('The host has no address');
  };

export const resolveHost = createResolveHost();

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
