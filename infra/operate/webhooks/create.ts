import { type Command, Option } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import type { EventType } from '../../../lib/events/store-event.ts';
import { ENDPOINTS_MAX, generateEndpointId, type WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { parseEventTypes } from '../event-types.ts';
import {
  type CommonFlags,
  type Host,
  parseId,
  parseText,
  stageCommand,
  withYes,
  type YesFlag,
} from '../options.ts';
import { assertStore } from '../stores/known-store.ts';
import { checkEndpointUrl } from './endpoint-address.ts';
import { endpointJson } from './endpoint-json.ts';
import { changeOf, confirmChange, findWebhooks } from './found-endpoint.ts';
import { printNewSecret } from './new-secret.ts';

interface CreateFlags extends CommonFlags, YesFlag {
  readonly store: string;
  readonly mode: Mode;
  readonly url: string;
  readonly events?: readonly EventType[];
  readonly label?: string;
}

const createWebhook = async (host: Host, flags: CreateFlags): Promise<void> => {
  const webhooks = await findWebhooks(host, flags);
  const { stage, endpoints, secrets } = webhooks;
  await assertStore(stage, flags.store);
  const url = await checkEndpointUrl(host, flags.url, stage);
  const endpoint: WebhookEndpoint = {
    storeId: flags.store,
    mode: flags.mode,
    endpointId: generateEndpointId(),
    url,
    events: flags.events,
    label: flags.label,
    createdAtMs: host.now(),
  };
  await confirmChange(host, 'Creating', { stage, endpoint }, flags);
  const secret = await recordChange(host, stage, changeOf('create', { endpoint }), async () => {
    // An endpoint without a secret would lose its first deliveries.
    const created = await secrets.create(endpoint.endpointId);
    if (await endpoints.create(endpoint)) return created;
    await secrets.remove(endpoint.endpointId);
    throw new OperatorError(
      `The store ${flags.store} has ${ENDPOINTS_MAX} ${flags.mode} endpoints, the most that it may have: remove one first.`,
    );
  });
  await printNewSecret(host, flags.json, {
    endpointId: endpoint.endpointId,
    secret,
    fields: endpointJson(endpoint),
    lines: [`The ${flags.mode} events of ${flags.store} now go to ${url}.`],
    remedy: 'remove the endpoint, and create it again',
  });
};

const HELP = `
Examples:
  npm run operate -- webhooks create --store demo-store-one --mode test --url http://127.0.0.1:8080/hook
  npm run operate -- webhooks create --store shop --mode live --url https://shop.example/hook \\
    --events cart.completed,cart.abandoned --label 'Web shop' --stage prod

The address needs https and the port 443 or 8443, and every IP address of its host must be public. The local stage also
allows http to this machine. The endpoint gets no earlier events: \`webhooks replay\` sends them.`;

/** `webhooks create`: adds a webhook endpoint of a store and shows its secret once. */
export const createWebhookCommand = (host: Host): Command =>
  withYes(stageCommand('create', 'add a webhook endpoint and show its secret once', HELP))
    .requiredOption('--store <id>', 'the store whose events it receives', parseId)
    .addOption(
      new Option('--mode <mode>', 'the mode of these events').choices(['test', 'live']).makeOptionMandatory(),
    )
    .requiredOption('--url <url>', 'the address that receives the events')
    .option('--events <types>', 'only these types, separated by commas; default: all', parseEventTypes)
    .option('--label <text>', 'a name for people', parseText)
    .action((flags: CreateFlags) => createWebhook(host, flags));
