import { isOpen } from '../../../lib/webhooks/breaker.ts';
import type { EndpointChanges } from '../../../lib/webhooks/endpoint-store.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Confirm, Context } from '../command.ts';
import { withIsoTimes } from '../output.ts';
import type { Stores } from '../stores.ts';
import { unknownEndpoint } from '../value-types.ts';

/** The ids in the audit record of a change of an endpoint. */
export const idsOf = ({ endpointId, storeId, mode }: WebhookEndpoint) => ({ endpointId, storeId, mode });

/** Asks before a command changes an endpoint of live mode. */
export const confirmChange = (
  action: string,
  { endpointId, storeId, mode, url }: WebhookEndpoint,
  { confirm, stage }: Context & { readonly confirm: Confirm },
): Promise<void> => {
  const what = `the ${mode} webhook endpoint ${endpointId} of ${storeId} (${url}) on the stage ${stage.name}`;
  return confirm(`${action} ${what}`, mode);
};

/**
 * Changes an endpoint.
 *
 * @throws OperatorError if somebody has removed it
 */
export const updateEndpoint = async (
  endpoint: WebhookEndpoint,
  changes: EndpointChanges,
  { endpoints }: Stores,
): Promise<EndpointWithState> => {
  const updated = await endpoints.update(endpoint, changes);
  if (!updated) throw unknownEndpoint(endpoint.endpointId);
  return updated;
};

/** Rejects an endpoint that gets no deliveries. */
export const assertEnabled = ({ endpointId, disabled }: WebhookEndpoint): void => {
  if (!disabled) return;
  throw new OperatorError(
    `The endpoint ${endpointId} is disabled: enable it first with \`webhooks enable\`.`,
  );
};

/** The fields of an endpoint that its attempts do not change. It has no secret. */
export const endpointJson = (endpoint: WebhookEndpoint) => {
  const { endpointId: id, storeId, mode, url, events, label, createdAtMs } = endpoint;
  return withIsoTimes({ id, storeId, mode, url, events, label, createdAtMs });
};

/** `open`: the breaker is open, and the service sends only probes. */
export const stateOf = ({ disabled, state }: EndpointWithState): 'enabled' | 'open' | 'disabled' => {
  if (disabled) return 'disabled';
  return isOpen(state) ? 'open' : 'enabled';
};

/** An endpoint with its state, in the JSON. */
export const endpointStateJson = (endpoint: EndpointWithState) => {
  const { disabled, state } = endpoint;
  const { failures, failingSinceMs, probeAtMs: nextProbeAtMs, lastSuccessAtMs } = state;
  return {
    ...endpointJson(endpoint),
    state: stateOf(endpoint),
    ...withIsoTimes({ disabledAtMs: disabled?.atMs, disabledReason: disabled?.reason }),
    ...withIsoTimes({ failures, failingSinceMs, nextProbeAtMs, lastSuccessAtMs }),
  };
};

/** The result of a command that makes a signing secret. No command shows it again. */
export const newSecretResult = <Json extends object>(
  endpoint: WebhookEndpoint,
  secret: string,
  { json, line, remedy }: { readonly json: Json; readonly line: string; readonly remedy: string },
) => ({
  json: { ...json, secret },
  lines: [
    line,
    `Secret    ${secret}`,
    `Endpoint  ${endpoint.endpointId}`,
    'Give the secret to the merchant now: no command shows it again. The id is not secret.',
  ],
  ifLost: `The secret of ${endpoint.endpointId} could not be shown: ${remedy}.`,
});
