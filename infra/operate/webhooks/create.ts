import { resolveHost } from '../../../lib/webhooks/addresses.ts';
import { checkEndpointHost, parseEndpointUrl } from '../../../lib/webhooks/endpoint-url.ts';
import { ENDPOINTS_MAX, generateEndpointId, type WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context, Run } from '../command.ts';
import type { CREATE_WEBHOOK } from './commands.ts';
import { confirmChange, endpointJson, idsOf, newSecretResult } from './endpoint.ts';

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
  const allowsLoopback = outputs === undefined || outputs['WebhookLoopback'] === 'true';
  const parsed = parseEndpointUrl(text, { allowsLoopback });
  if (!parsed.ok) throw new UsageError(parsed.reason);
  const reason = await checkEndpointHost(parsed.url, resolve);
  if (reason !== undefined) throw new OperatorError(reason);
  return parsed.url;
};

export const run: Run<typeof CREATE_WEBHOOK> = async (options, context) => {
  const { store: storeId, mode, events, label } = options;
  const { stores, now, change } = context;
  const endpoint: WebhookEndpoint = {
    storeId,
    mode,
    endpointId: generateEndpointId(),
    url: await checkUrl(options.url, context),
    events,
    label,
    createdAtMs: now(),
  };
  const { endpointId, url } = endpoint;
  await confirmChange('Creating', endpoint, context);
  const secret = await change(idsOf(endpoint), async () => {
    // An endpoint without a secret would lose its first deliveries.
    const created = await stores.secrets.create(endpointId);
    if (await stores.endpoints.create(endpoint)) return created;
    await stores.secrets.remove(endpointId);
    throw new OperatorError(
      `The store ${storeId} has ${ENDPOINTS_MAX} ${mode} endpoints, the most that it may have: remove one first.`,
    );
  });
  return newSecretResult(endpoint, secret, {
    json: endpointJson(endpoint),
    line: `The ${mode} events of ${storeId} now go to ${url}.`,
    remedy: 'remove the endpoint, and create it again',
  });
};
