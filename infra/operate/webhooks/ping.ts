import { pingMessageOf } from '../../../lib/webhooks/delivery.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Run } from '../command.ts';
import { deliveryQueueOf } from '../queues.ts';
import { until } from '../until.ts';
import type { TEST_WEBHOOK } from './commands.ts';
import { deliveryJson, deliveryLines } from './delivery.ts';
import { assertEnabled, confirmChange, idsOf } from './endpoint.ts';

/** An attempt takes up to 10 s, and may wait for two others. */
const WAIT_SECONDS = 45;

export const run: Run<typeof TEST_WEBHOOK> = async ({ endpoint }, context) => {
  const { stage, stores, now, pauses, change } = context;
  const { endpointId } = endpoint;
  assertEnabled(endpoint);
  await confirmChange('Sending a ping to', endpoint, context);
  const message = pingMessageOf(endpoint, now());
  await change(idsOf(endpoint), () => deliveryQueueOf(context).send([message]));
  const record = await until(pauses, WAIT_SECONDS, () => stores.deliveries.find(message));
  if (!record) {
    throw new OperatorError(
      `The stage ${stage.name} has not delivered the ping within ${WAIT_SECONDS} s: check that it runs, then \`webhooks deliveries ${endpointId}\`.`,
    );
  }
  const failure =
    record.status === 'succeeded' ? undefined : `The endpoint ${endpointId} did not accept the ping.`;
  return { json: deliveryJson(record), lines: deliveryLines(record), failure };
};
