import { isOpen } from '../../../lib/webhooks/breaker.ts';
import type { EndpointChanges } from '../../../lib/webhooks/endpoint-registry.ts';
import type { EndpointWithState } from '../../../lib/webhooks/endpoint-items.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Result, StageContextOf } from '../command.ts';
import { secretResult } from '../secret-result.ts';
import type { Stage } from '../stage.ts';
import { unknownEndpoint } from '../value-types.ts';
import type { WEBHOOKS } from './commands.ts';

/** Describes an endpoint in a question. */
export const describeEndpoint = (
  { endpointId, storeId, mode, url }: WebhookEndpoint,
  { name }: Stage,
): string => `the ${mode} webhook endpoint ${endpointId} of ${storeId} (${url}) on the stage ${name}`;

/**
 * Asks before a change of a live endpoint, then makes and records it.
 *
 * @param action the beginning of the question, such as `Removing`
 */
export const changeEndpoint = async <Made>(
  action: string,
  endpoint: WebhookEndpoint,
  { confirm, change, stage }: StageContextOf<typeof WEBHOOKS.remove>,
  make: () => Promise<Made>,
): Promise<Made> => {
  const { endpointId, storeId, mode } = endpoint;
  await confirm(`${action} ${describeEndpoint(endpoint, stage)}`, mode);
  return change({ endpointId, storeId, mode }, make);
};

/**
 * Enables or disables an endpoint. Returns its JSON.
 *
 * @throws OperatorError if somebody has removed it
 */
export const setDisabled = async (
  action: string,
  endpoint: WebhookEndpoint,
  context: StageContextOf<typeof WEBHOOKS.remove>,
  disabled: NonNullable<EndpointChanges['disabled']> | null,
): Promise<object> => {
  const { registry, endpoints } = context.stores;
  const updated = await changeEndpoint(action, endpoint, context, async () =>
    (await registry.update(endpoint, { disabled })) ? endpoints.get(endpoint) : undefined,
  );
  if (!updated) throw unknownEndpoint(endpoint.endpointId);
  return endpointStateJson(updated);
};

/** Rejects an endpoint that gets no deliveries. */
export const assertEnabled = ({ endpointId, disabled }: WebhookEndpoint): void => {
  if (!disabled) return;
  throw new OperatorError(
    `The endpoint ${endpointId} is disabled: enable it first with \`webhooks enable\`.`,
  );
};

/** `open`: the breaker is open, and the service sends only probes. */
export const stateOf = ({ disabled, state }: EndpointWithState): 'enabled' | 'open' | 'disabled' => {
  if (disabled) return 'disabled';
  return isOpen(state) ? 'open' : 'enabled';
};

/** An endpoint with its state, in the JSON. */
export const endpointStateJson = (endpoint: EndpointWithState) => {
  const { endpointId: id, disabled, state } = endpoint;
  return {
    ...endpoint,
    ...state,
    id,
    state: stateOf(endpoint),
    disabledAtMs: disabled?.atMs,
    disabledReason: disabled?.reason,
    nextProbeAtMs: state.probeAtMs,
  };
};

/** The result of a command that makes a signing secret. */
export const newSecretResult = (
  endpoint: WebhookEndpoint,
  secret: string,
  {
    headline,
    remedy,
    ...json
  }: { readonly headline: string; readonly remedy: string; readonly previousSecretEndsAt?: string },
): Result =>
  secretResult({
    json: { ...endpoint, id: endpoint.endpointId, ...json, secret },
    headline,
    shown: { Secret: secret, Endpoint: endpoint.endpointId },
    notice: 'Give the secret to the merchant now: no command shows it again. The id is not secret.',
    ifLost: `The secret of ${endpoint.endpointId} could not be shown: ${remedy}.`,
  });
