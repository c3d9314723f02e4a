import { isOpen } from '../../../lib/webhooks/breaker.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import { isoTime, optionalIsoTime } from '../output.ts';

/** The fields of an endpoint that its attempts do not change. It has no secret. */
export const endpointJson = (endpoint: WebhookEndpoint) => ({
  id: endpoint.endpointId,
  storeId: endpoint.storeId,
  mode: endpoint.mode,
  url: endpoint.url,
  events: endpoint.events,
  label: endpoint.label,
  createdAt: isoTime(endpoint.createdAtMs),
});

/** `open`: the breaker is open, and the service sends only probes. */
export const stateOf = ({ disabled, state }: EndpointWithState): 'enabled' | 'open' | 'disabled' => {
  if (disabled) return 'disabled';
  return isOpen(state) ? 'open' : 'enabled';
};

/** An endpoint with its state, in the JSON. */
export const endpointStateJson = (endpoint: EndpointWithState) => ({
  ...endpointJson(endpoint),
  state: stateOf(endpoint),
  disabledAt: optionalIsoTime(endpoint.disabled?.atMs),
  disabledReason: endpoint.disabled?.reason,
  failures: endpoint.state.failures,
  failingSince: optionalIsoTime(endpoint.state.failingSinceMs),
  nextProbeAt: optionalIsoTime(endpoint.state.probeAtMs),
  lastSuccessAt: optionalIsoTime(endpoint.state.lastSuccessAtMs),
});
