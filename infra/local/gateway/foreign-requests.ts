import type { IncomingMessage } from 'node:http';

/** The names of this machine, with any port, because a tunnel may have another. */
const THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** The name of this machine in a container of Docker Desktop. */
const IN_CONTAINERS = /^host\.docker\.internal(?::\d+)?$/i;

/**
 * Whether a `Host` header names this machine. After a browser has loaded a page from another name, the owner of that
 * name can point it here (DNS rebinding). The browser then treats both addresses as one site.
 *
 * @param hasContainers also accepts the name in containers. A hostile network can respond for it, and browsers send neither
 *   `Origin` nor `Sec-Fetch-Site` with a `GET` of such a page
 */
export const isAllowedHost = (host: string, hasContainers = false): boolean =>
  THIS_MACHINE.test(host) || (hasContainers && IN_CONTAINERS.test(host));

/**
 * Whether the page of another site sent a request. A visit does not count: a merchant's page sends the buyer to the
 * payment page by a link or a redirect. Programs that are not browsers send neither `Sec-Fetch-Site` nor `Origin`
 * (Fetch Metadata Request Headers, W3C; RFC 6454, 7).
 */
export const isForeignRequest = ({ method, headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  if (site === undefined) {
    return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
  }
  const isVisit =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return site !== 'same-origin' && site !== 'none' && !isVisit;
};
