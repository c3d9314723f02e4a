import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { outputOf } from '../stack-outputs.ts';
import { type Examine, sendTo, unreadableLetter } from './examined-letter.ts';

const schema = z.object({
  endpoint: z.object({ storeId: z.string(), mode: z.enum(['live', 'test']), endpointId: z.string() }),
  eventId: z.string(),
  recordedAtMs: z.number(),
  body: z.string(),
  attempt: z.number(),
});

/** Webhook deliveries that the function of the stage could not handle. A redrive sends them to the delivery queue. */
export const examineDelivery: Examine = async (body, { stage, stores }, sqs) => {
  const { data: message } = schema.safeParse(parseJson(body));
  if (!message) return unreadableLetter('malformed');
  const { endpoint, eventId } = message;
  const found = await stores.endpoints.get(endpoint);
  const isAccepted = found !== undefined && !found.disabled;
  return {
    verdict: isAccepted ? 'delivered' : found ? 'endpointDisabled' : 'endpointRemoved',
    subject: `event ${eventId} to ${endpoint.endpointId} of ${endpoint.storeId}, ${endpoint.mode} mode`,
    fields: { delivery: { ...endpoint, eventId } },
    redrive: isAccepted ? sendTo(sqs, outputOf(stage, 'DeliveryQueueUrl'), body) : undefined,
  };
};
