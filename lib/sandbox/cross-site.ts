import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The values of `Sec-Fetch-Site` for a page's own form, and for a request that no page caused. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site caused a request. Browsers name the site in `Sec-Fetch-Site` and `Origin`, and no page
 * can change these headers or `Host`. Other clients, such as curl, send neither `Sec-Fetch-Site` nor `Origin`.
 *
 * @param event with lower-case header names. Its `Host` is the gateway's domain name, on the local stage with the port.
 */
export const isCrossSite = ({ headers }: Pick<APIGatewayProxyEvent, 'headers'>): boolean => {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && !OWN_SITES.has(site)) return true;
  return origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase();
};
