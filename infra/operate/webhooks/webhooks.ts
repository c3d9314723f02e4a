import { DAY_MS } from '../../../lib/core/durations.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { drainRequestOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { parseEndpointUrl } from '../../../lib/endpoints/address/endpoint-url.ts';
import { hostIssueOf } from '../../../lib/endpoints/address/host-check.ts';
import { resolveHost } from '../../../lib/endpoints/address/resolve-host.ts';
import { isOpen } from '../../../lib/endpoints/breaker.ts';
import {
  type Disabled,
  ENDPOINTS_MAX,
  type EndpointWithState,
  generateEndpointId,
  hasParked,
  type WebhookEndpoint,
} from '../../../lib/endpoints/endpoint.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, Result } from '../frame/command.ts';
import type { AuditFields, Context } from '../frame/context.ts';
import { by, minuteOf, ofStore } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { deliveryQueueOf } from '../target/queues.ts';
import type { Repositories } from '../target/repositories.ts';
import { stageFlag } from '../target/stage.ts';
import type { WEBHOOKS } from './commands.ts';
import { unknownEndpoint } from './endpoint-value.ts';

/**
 * Asks before a change of a live endpoint, then makes and records it.
 *
 * @param action the beginning of the question, such as `Removing`
 * @param ids further fields of the audit record
 */
export const changeEndpoint = async <Made>(
  action: string,
  endpoint: WebhookEndpoint,
  { confirm, change, stage }: Context,
  make: () => Promise<Made>,
  ids: AuditFields = {},
  resultOf?: (made: Made) => AuditFields,
): Promise<Made> => {
  const { endpointId, storeId, mode, url } = endpoint;
  const what = `the ${mode} webhook endpoint ${endpointId} of ${storeId} (${url}) on the stage ${stage.name}`;
  await confirm(`${action} ${what}`, mode);
  return change({ endpointId, storeId, mode, ...ids }, make, resultOf);
};

/** Rejects an endpoint that gets no deliveries. */
export const assertEnabled = ({ endpointId, disabled }: WebhookEndpoint): void => {
  if (!disabled) return;
  throw new OperatorError(
    `The endpoint ${endpointId} is disabled: enable it first with \`webhooks enable\`.`,
  );
};

/** The state of an endpoint, and the text about it. `open`: the breaker is open, and the service sends only probes. */
const stateOf = ({ disabled, state }: EndpointWithState): readonly [state: string, text: string] => {
  if (disabled) return ['disabled', `disabled (${disabled.reason}) since ${minuteOf(disabled.atMs)}`];
  if (isOpen(state)) return ['open', `open, next probe ${minuteOf(state.probeAtMs, 'now')}`];
  return ['enabled', 'enabled'];
};

const endpointStateJson = (endpoint: EndpointWithState) => {
  const { endpointId: id, disabled, state } = endpoint;
  return {
    ...endpoint,
    ...state,
    id,
    state: stateOf(endpoint)[0],
    disabledAtMs: disabled?.atMs,
    disabledReason: disabled?.reason,
    nextProbeAtMs: state.probeAtMs,
  };
};

/**
 * Enables or disables an endpoint. Returns its JSON.
 *
 * @throws OperatorError if somebody has removed it
 */
const setDisabled = (
  action: string,
  endpoint: WebhookEndpoint,
  disabled: Disabled | null,
  context: Context,
): Promise<object> =>
  changeEndpoint(action, endpoint, context, async () => {
    const { endpointChanges, endpoints } = context.repositories;
    const outcome = await endpointChanges.update(endpoint, { disabled });
    const updated = outcome === 'changed' ? await endpoints.find(endpoint) : undefined;
    if (!updated) throw unknownEndpoint(endpoint.endpointId);
    if (!disabled && hasParked(updated.state))
      await deliveryQueueOf(context).send([drainRequestOf(endpoint)]);
    return endpointStateJson(updated);
  });

const newSecretResult = (
  endpoint: WebhookEndpoint,
  secret: string,
  headline: string,
  remedy: string,
  json: object = {},
): Result => ({
  json: { ...endpoint, id: endpoint.endpointId, ...json, secret },
  lines: [
    headline,
    `Secret    ${secret}`,
    `Endpoint  ${endpoint.endpointId}`,
    'Give the secret to the merchant now: no command shows it again. The id is not secret.',
  ],
  ifLost: `The secret of ${endpoint.endpointId} could not be shown: ${remedy}.`,
});

/**
 * Checks the address of a new endpoint by the rules of every attempt. The local stage also allows http to this machine, as
 * does a stage on an emulator of AWS (`-c webhookLoopback=true`).
 *
 * @returns the address in its normal form
 * @throws UsageError or OperatorError with the rule that the address breaks
 */
const checkUrl = async (
  text: string,
  { resolve = resolveHost, stage: { outputs } }: Context,
): Promise<string> => {
  const allowsLoopback = outputs['WebhookLoopback'] === 'true';
  const own = { publicUrl: outputs['BaseUrl'], apiId: outputs['ApiId'] };
  const parsed = parseEndpointUrl(text, { allowsLoopback, ...own });
  if (!parsed.ok) throw new UsageError(`${parsed.reason}.`);
  const reason = await hostIssueOf(parsed.url, resolve);
  if (reason !== undefined) throw new OperatorError(`${reason}.`);
  return parsed.url;
};

export const create: Action<typeof WEBHOOKS.create> = async (options, context) => {
  const { store: storeId, mode, events: eventTypes, label } = options;
  const url = await checkUrl(options.url, context);
  const endpointId = generateEndpointId();
  const endpoint = { storeId, mode, endpointId, url, eventTypes, label, createdAtMs: context.now() };
  const secret = await changeEndpoint('Creating', endpoint, context, async () => {
    const created = await context.repositories.endpointChanges.create(endpoint);
    if (created.outcome === 'created') return created.secret;
    throw new OperatorError(
      `The store ${storeId} has ${ENDPOINTS_MAX} ${mode} endpoints, the most that it may have: remove one first.`,
    );
  });
  const headline = `The ${mode} events of ${storeId} now go to ${url}.`;
  return newSecretResult(endpoint, secret, headline, 'remove the endpoint, and create it again');
};

const COLUMNS: Columns<EndpointWithState> = {
  ENDPOINT: ({ endpointId }) => endpointId,
  STORE: ({ storeId }) => storeId,
  MODE: ({ mode }) => mode,
  URL: ({ url }) => url,
  EVENTS: ({ eventTypes }) => eventTypes?.join(',') ?? 'all',
  LABEL: ({ label = '' }) => label,
  'STATE (UTC)': (endpoint) => stateOf(endpoint)[1],
  'FAILING SINCE (UTC)': ({ state }) => minuteOf(state.failingSinceMs),
  'LAST SUCCESS (UTC)': ({ state }) => minuteOf(state.lastSuccessAtMs, 'never'),
};

export const list: Action<typeof WEBHOOKS.list> = async ({ store }, { repositories, stdout }) => {
  const found = ofStore(store, await repositories.endpoints.list()).toSorted(
    by(({ storeId, mode, createdAtMs }) => `${storeId} ${mode} ${createdAtMs}`),
  );
  return {
    json: { webhooks: found.map(endpointStateJson) },
    lines: table(stdout, COLUMNS, found, 'There are no such webhook endpoints.'),
  };
};

export const rotate: Action<typeof WEBHOOKS.rotate> = async ({ endpoint, overlap }, context) => {
  const { endpointId } = endpoint;
  const { secret, previousEndsAtMs } = await changeEndpoint(
    'Rotating the secret of',
    endpoint,
    context,
    async () => {
      const rotated = await context.repositories.endpointChanges.rotateSecret(endpoint, overlap);
      if (rotated !== undefined) return rotated;
      throw new OperatorError(
        `The endpoint ${endpointId} has no secret, or another rotation came first: check \`webhooks list\`, then repeat the command.`,
      );
    },
  );
  const previousSecretEndsAt = isoTime(previousEndsAtMs);
  const headline =
    overlap === 0
      ? 'The old secret has ended.'
      : `Deliveries carry the signatures of both secrets until ${previousSecretEndsAt}.`;
  return newSecretResult(endpoint, secret, headline, 'rotate it again', { previousSecretEndsAt });
};

export const disable: Action<typeof WEBHOOKS.disable> = async ({ endpoint }, context) => {
  // The time of an earlier disabling stays. The new reason keeps the merchant from enabling the endpoint.
  const disabled = { atMs: endpoint.disabled?.atMs ?? context.now(), reason: 'operator' } as const;
  const json = await setDisabled('Disabling', endpoint, disabled, context);
  return { json, lines: [`The endpoint ${endpoint.endpointId} receives nothing until you enable it.`] };
};

/** Longer than an endpoint may fail before it is disabled, five days, and the attempts for one event, about three. */
const UNDELIVERED_MAX_MS = 9 * DAY_MS;

/**
 * The time of the first event that a disabled endpoint missed, or `undefined` if the endpoint is enabled. The event that got a
 * 410 is older than the disabling.
 */
const findMissedSince = async (
  { endpointId, disabled }: WebhookEndpoint,
  { deliveries }: Repositories,
): Promise<string | undefined> => {
  if (!disabled) return undefined;
  const sinceMs = disabled.atMs - UNDELIVERED_MAX_MS;
  const options = { failedOnly: true, oldestFirst: true, sinceMs, limit: 1 };
  const [first] = await deliveries.listOf(endpointId, options);
  return isoTime(Math.min(disabled.atMs, first?.recordedAtMs ?? Infinity));
};

export const enable: Action<typeof WEBHOOKS.enable> = async ({ endpoint }, context) => {
  const id = endpoint.endpointId;
  // Before the change: an unreadable delivery then changes nothing.
  const missedSince = await findMissedSince(endpoint, context.repositories);
  const enabled = await setDisabled('Enabling', endpoint, null, context);
  const lines = [
    `The endpoint ${id} is enabled. If deliveries wait during a pause after failures, one goes out now. The others follow when it succeeds.`,
  ];
  if (missedSince !== undefined) {
    lines.push(
      `Events since ${missedSince} may not have reached it. Send them with \`webhooks replay ${id} --since ${missedSince} ${stageFlag(context.stage)}\`.`,
    );
  }
  return { json: { ...enabled, missedSince }, lines };
};

export const remove: Action<typeof WEBHOOKS.remove> = async ({ endpoint }, context) => {
  const { endpointId: id } = endpoint;
  await changeEndpoint('Removing', endpoint, context, () =>
    context.repositories.endpointChanges.remove(endpoint),
  );
  return { json: { id, removed: true }, lines: [`Removed the webhook endpoint ${id}.`] };
};
