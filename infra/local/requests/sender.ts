import { LISTEN_USER_AGENT } from '../../local-access/listen-user-agent.ts';
import { headerFields } from '../gateway/gateway-event.ts';
import type { ServedRequest } from '../gateway/gateway.ts';

/** The first value of a request's header. `name` is in lower case. */
export const requestHeader = (
  { rawHeaders }: Pick<ServedRequest, 'rawHeaders'>,
  name: string,
): string | undefined => headerFields(rawHeaders).find(([each]) => each.toLowerCase() === name)?.[1];

/**
 * The sender of a request: a page or tool of this project, the buyer on the payment page, another page in a browser, or a
 * merchant's program.
 */
export type Sender = 'dashboard' | 'listen' | 'buyer' | 'browser' | 'program';

export const senderOf = (served: Pick<ServedRequest, 'rawHeaders' | 'match'>): Sender => {
  if (requestHeader(served, 'x-sent-by') === 'dashboard') return 'dashboard';
  if (requestHeader(served, 'user-agent') === LISTEN_USER_AGENT) return 'listen';
  if (served.match?.route.caller === 'buyer') return 'buyer';
  // Only browsers send this header, for example from the page of the contract.
  return requestHeader(served, 'sec-fetch-site') === undefined ? 'program' : 'browser';
};
