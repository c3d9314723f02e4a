import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import { requireOutput, type StackOutputs } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { LetterHandler } from './dead-letter.ts';

const schema = z.object({
  endpoint: z.object({ storeId: z.string(), mode: z.enum(['live', 'test']), endpointId: z.string() }),
  eventId: z.string(),
  recordedAtMs: z.number(),
  body: z.string(),
  attempt: z.number(),
});

/** Webhook deliveries that the function of the stage could not handle. A redrive sends them to the delivery queue. */
export const deliveryLetters = (
  { documents, tableNames, name }: Stage,
  outputs: StackOutputs,
  sqs: SQSClient,
): LetterHandler => {
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const deliveryQueueUrl = requireOutput(outputs, 'DeliveryQueueUrl', name);
  return {
    queueUrl: requireOutput(outputs, 'DeliveryDeadLetterQueueUrl', name),

    async examine({ body }) {
      const { data: message } = schema.safeParse(parseJson(body));
      if (!message) return { verdict: 'malformed', isRedrivable: false, subject: '', fields: {} };
      const { endpoint, eventId } = message;
      const found = await endpoints.get(endpoint);
      const verdict = !found ? 'endpointRemoved' : found.disabled ? 'endpointDisabled' : 'delivered';
      return {
        verdict,
        isRedrivable: verdict === 'delivered',
        subject: `event ${eventId} to ${endpoint.endpointId} of ${endpoint.storeId}, ${endpoint.mode} mode`,
        fields: { delivery: { ...endpoint, eventId } },
      };
    },

    async redrive({ body }) {
      await sqs.send(new SendMessageCommand({ QueueUrl: deliveryQueueUrl, MessageBody: body }));
      return true;
    },
  };
};
