import { isIP } from 'node:net';
import { hasCharacters } from '../../core/characters.ts';
import { canonicalHostOf, hostOf } from './host.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** A valid address of an endpoint, or the reason for a rejection: for the caller, without a full stop. */
type ParsedEndpointUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string };

export interface EndpointUrlOptions {
  /** Also allows `http` to this machine, at any port. For the local stage only. */
  readonly allowsLoopback?: boolean;
  /** The address of this API, which is no endpoint. */
  readonly publicUrl?: string | undefined;
  /** The id of this API in API Gateway. The address that API Gateway generates from it may work beside `publicUrl`. */
  readonly apiId?: string | undefined;
}

/**
 * With an ASCII address, the item of an endpoint stays below 1 KB, one write unit. It has the address percent-encoded, in which
 * any other character takes 6 to 12 bytes.
 */
export const ENDPOINT_URL_CHARACTERS_MAX = 500;

/** `URL` removes 443, the default port of https. */
const PORTS = new Set(['', '8443']);

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/** Whether an address is one of this API. On one machine, another port is another service. */
const isOwn = (url: URL, own: URL): boolean =>
  isLoopbackHost(canonicalHostOf(own))
    ? isLoopbackHost(canonicalHostOf(url)) && url.port === own.port
    : canonicalHostOf(url) === canonicalHostOf(own);

const schemeIssue = (allowsLoopback: boolean): string => {
  const loopback = allowsLoopback ? ', or with http:// and point to this machine' : '';
  return `The address must begin with https://${loopback}`;
};

/** The reason for the rejection of a text that is no URL. */
const malformedIssue = (text: string, { allowsLoopback = false }: EndpointUrlOptions): string => {
  if (text.trim() === '') return 'The address is empty';
  // Without a scheme, such as `shop.example/webhooks`
  if (!/^\s*[a-z][a-z0-9+.-]*:/i.test(text)) return schemeIssue(allowsLoopback);
  return 'The address is not a valid URL, such as https://shop.example.com/webhooks: check its host and port';
};

const issueOf = (
  url: URL,
  { allowsLoopback = false, publicUrl, apiId }: EndpointUrlOptions,
): string | undefined => {
  const host = hostOf(url);
  const isGenerated = apiId !== undefined && host.startsWith(`${apiId}.execute-api.`);
  if (isGenerated || (publicUrl !== undefined && isOwn(url, new URL(publicUrl)))) {
    return 'The address must not be one of this API';
  }
  if (url.username !== '' || url.password !== '') return 'The address must have no user name and no password';
  if (url.protocol === 'http:' && allowsLoopback) {
    return isLoopbackHost(host) ? undefined : 'An http address must point to this machine: use https';
  }
  if (url.protocol !== 'https:') {
    return schemeIssue(allowsLoopback);
  }
  if (!PORTS.has(url.port)) return 'The port must be 443 or 8443';
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'The host must be a public IP address or a name';
  return undefined;
};

/**
 * Parses the address of an endpoint: https, a public host, port 443 or 8443, at most 500 characters as sent. The host's addresses
 * are checked by `hostIssueOf`, and again at each attempt.
 */
export const parseEndpointUrl = (text: string, options: EndpointUrlOptions = {}): ParsedEndpointUrl => {
  if (!hasCharacters(text, 0, ENDPOINT_URL_CHARACTERS_MAX)) {
    return {
      ok: false,
      reason: `The address must have at most ${ENDPOINT_URL_CHARACTERS_MAX} characters`,
    };
  }
  const url = URL.parse(text);
  if (!url) return { ok: false, reason: malformedIssue(text, options) };
  const reason = issueOf(url, options);
  return reason === undefined ? { ok: true, url: url.href } : { ok: false, reason };
};
