import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import type { Disabled } from '../endpoints/endpoint.ts';
import type { Leases } from './leases.ts';

/** Reports that the service disabled an endpoint. It may report the same one twice. */
export type ReportDisabled = (endpoint: EndpointWithState, disabled: Disabled) => Promise<void>;

interface Dependencies {
  readonly leases: Pick<Leases, 'noteReported'>;
  readonly reportDisabled: ReportDisabled;
}

/** A merchant or an operator may have disabled the endpoint during the attempt. */
const isByService = ({ reason }: Disabled): boolean => reason === 'gone' || reason === 'failing';

/** Reports that the service disabled an endpoint, unless that is done. */
export const reportIfDue = async (
  endpoint: EndpointWithState | undefined,
  { leases, reportDisabled }: Dependencies,
): Promise<void> => {
  const { disabled, isUnreported } = endpoint ?? {};
  if (!endpoint || !isUnreported || !disabled || !isByService(disabled)) return;
  await reportDisabled(endpoint, disabled);
  // If the process ends before, the next message finds the mark.
  await leases.noteReported(endpoint);
};
