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
