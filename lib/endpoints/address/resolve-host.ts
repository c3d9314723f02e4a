import { Resolver } from 'node:dns/promises';

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
