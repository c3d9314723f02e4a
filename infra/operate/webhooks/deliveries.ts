import type { Run } from '../command.ts';
import type { LIST_DELIVERIES } from './commands.ts';
import { deliveryJson, deliveryLines } from './delivery.ts';

export const run: Run<typeof LIST_DELIVERIES> = async ({ endpoint, failed, limit }, { stores }) => {
  const records = await stores.deliveries.listOf(endpoint.endpointId, { failedOnly: failed, limit });
  const lines = records.length === 0 ? ['There are no such deliveries.'] : records.flatMap(deliveryLines);
  return { json: { deliveries: records.map(deliveryJson) }, lines };
};
