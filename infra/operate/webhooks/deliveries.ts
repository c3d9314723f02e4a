import type { Command } from 'commander';
import { type CommonFlags, type Host, parseCount, stageCommand } from '../options.ts';
import { print } from '../output.ts';
import { deliveryJson, deliveryLines } from './delivery-json.ts';
import { findEndpoint } from './found-endpoint.ts';

interface DeliveriesFlags extends CommonFlags {
  readonly failed?: true;
  readonly limit: number;
}

const listDeliveries = async (host: Host, id: string, flags: DeliveriesFlags): Promise<void> => {
  const { deliveries, endpoint } = await findEndpoint(host, id, flags);
  const failedOnly = flags.failed === true;
  const records = await deliveries.listOf(endpoint.endpointId, { failedOnly, limit: flags.limit });
  await print(
    host,
    flags.json,
    { deliveries: records.map(deliveryJson) },
    records.length === 0 ? ['There are no such deliveries.'] : records.flatMap(deliveryLines),
  );
};

const LIMIT_DEFAULT = 20;

const HELP = `
Examples:
  npm run operate -- webhooks deliveries we_0123456789abcdefghijABCD
  npm run operate -- webhooks deliveries we_0123456789abcdefghijABCD --failed --limit 100 --stage prod

Each delivery has its last 20 attempts, with status, time and the first 500 characters of the response. API keys and signing
secrets in it are hidden.
States: succeeded; retrying; failed, after the last attempt; dropped, because the endpoint was disabled. Records stay for
30 days.`;

/** `webhooks deliveries`: lists the deliveries of an endpoint with their attempts, the latest event first. */
export const webhookDeliveriesCommand = (host: Host): Command =>
  stageCommand('deliveries', 'list the deliveries of an endpoint, the latest event first', HELP)
    .argument('<id>', 'the id of the endpoint')
    .option('--failed', 'only deliveries that have not succeeded')
    .option('--limit <number>', 'the most deliveries to list', parseCount, LIMIT_DEFAULT)
    .action((id: string, flags: DeliveriesFlags) => listDeliveries(host, id, flags));
