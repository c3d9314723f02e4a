import { LISTEN_USER_AGENT } from '../../local-access/listen-user-agent.ts';
import { headerFields } from './event.ts';
import type { ServedRequest } from './gateway.ts';

/** The first value of a request's header. `name` is in lower case. */
export const requestHeader = (
  { rawHeaders }: Pick<ServedRequest, 'rawHeaders'>,
  name: string,
): string | undefined => headerFields(rawHeaders).find(([each]) => each.toLowerCase() === name)?.[1];

/** Whether the dashboard or the command `listen` sent a request, and no program of a merchant. */
export const isFromOwnTool = (served: Pick<ServedRequest, 'rawHeaders' | 'isFromDashboard'>): boolean =>
  served.isFromDashboard || requestHeader(served, 'user-agent') === LISTEN_USER_AGENT;
