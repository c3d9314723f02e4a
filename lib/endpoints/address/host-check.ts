import type { ApiKey } from '../../api-keys/api-key.ts';
import { allowedAddressesOf, needsDns } from './allowed-addresses.ts';
import type { DnsCheckLock } from './dns-check-lock.ts';
import { type ResolveHost, SilentDnsError } from './resolve-host.ts';

/**
 * Checks that every address of an endpoint's host is public, or of this machine for `http`.
 *
 * @param url from `parseEndpointUrl`
 * @returns why the host is rejected, as a text for the caller without a full stop. `undefined` if the host is allowed
 */
export const hostIssueOf = async (url: string, resolve: ResolveHost): Promise<string | undefined> => {
  try {
    const addresses = await allowedAddressesOf(new URL(url), resolve);
    return addresses ? undefined : 'The host has an IP address that is not public';
  } catch (error) {
    return error instanceof SilentDnsError
      ? 'The DNS did not respond for the host'
      : 'The DNS has no IP address for the host';
  }
};

/**
 * - `allowed`: every address of the host is public.
 * - `forbidden`: `reason` is a sentence for the merchant.
 * - `busy`: the service checks another host for the API key.
 */
type HostVerdict = { readonly outcome: 'allowed' } | RejectedHost;

export type RejectedHost =
  | { readonly outcome: 'forbidden'; readonly reason: string }
  | { readonly outcome: 'busy' };

/** The request for which a host is checked. */
interface CheckingRequest {
  readonly apiKey: Pick<ApiKey, 'keyId'>;
  readonly nowMs: number;
  /** Aborts the database calls. */
  readonly signal: AbortSignal;
}

/**
 * Checks the host of an endpoint's address.
 *
 * @param url from `parseEndpointUrl`
 * @throws when DynamoDB is slow, throttles or is down
 */
export type CheckHost = (url: string, request: CheckingRequest) => Promise<HostVerdict>;

/** Creates the check of hosts. It asks the DNS for one host of an API key at a time, so one key holds one execution. */
export const createHostCheck =
  (lock: DnsCheckLock, resolve: ResolveHost): CheckHost =>
  async (url, { apiKey: { keyId }, nowMs, signal }) => {
    const check = async (): Promise<HostVerdict> => {
      const reason = await hostIssueOf(url, resolve);
      return reason === undefined ? { outcome: 'allowed' } : { outcome: 'forbidden', reason };
    };
    if (!needsDns(new URL(url))) return check();
    const release = await lock.acquire(keyId, nowMs, signal);
    if (!release) return { outcome: 'busy' };
    try {
      return await check();
    } finally {
      await release();
    }
  };
