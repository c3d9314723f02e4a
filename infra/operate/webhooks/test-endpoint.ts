import type { Command } from 'commander';
import { pingMessageOf } from '../../../lib/webhooks/delivery.ts';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { deliveryQueueOf } from '../queues.ts';
import { until } from '../until.ts';
import { deliveryJson, deliveryLines } from './delivery-json.ts';
import { changeOf, confirmChange, findEndpoint } from './found-endpoint.ts';

/** An attempt takes up to 10 s, and may wait for two others. */
const WAIT_SECONDS = 45;

const testWebhook = async (host: Host, id: string, flags: CommonFlags & YesFlag): Promise<void> => {
  const found = await findEndpoint(host, id, flags);
  const { stage, endpoint, deliveries } = found;
  if (endpoint.disabled) {
    throw new OperatorError(`The endpoint ${id} is disabled: enable it first with \`webhooks enable\`.`);
  }
  await confirmChange(host, 'Sending a ping to', found, flags);
  const message = pingMessageOf(endpoint, host.now());
  const queue = deliveryQueueOf(stage, host);
  await recordChange(host, stage, changeOf('test', found), () => queue.send([message]));
  const record = await until(host, WAIT_SECONDS, () => deliveries.find(message));
  if (!record) {
    throw new OperatorError(
      `The stage ${stage.name} has not delivered the ping within ${WAIT_SECONDS} s: check that it runs, then \`webhooks deliveries ${id}\`.`,
    );
  }
  await print(host, flags.json, deliveryJson(record), deliveryLines(record));
  if (record.status === 'succeeded') return;
  throw new OperatorError(`The endpoint ${id} did not accept the ping.`);
};

const HELP = `
Example:
  npm run operate -- webhooks test we_0123456789abcdefghijABCD

It sends one event of the type webhook.ping through the stage's queue, with one attempt, and waits for its result. It
exits with 1 if the receiver does not respond with 2xx.`;

/** `webhooks test`: sends a ping to an endpoint and shows the response. */
export const testWebhookCommand = (host: Host): Command =>
  withYes(stageCommand('test', 'send a ping to an endpoint and show the response', HELP))
    .argument('<id>', 'the id of the endpoint')
    .action((id: string, flags: CommonFlags & YesFlag) => testWebhook(host, id, flags));
