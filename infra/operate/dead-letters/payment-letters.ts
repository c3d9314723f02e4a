import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { createPaymentStores } from '../../../lib/carts/payment-stores.ts';
import { previewPayment } from '../../../lib/carts/record-payment.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { paymentTablesOf } from '../../payment-tables.ts';
import { requireOutput, type StackOutputs } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { LetterHandler } from './dead-letter.ts';

/** Payment events that could not be recorded. A redrive sends them to the payments queue. */
export const paymentLetters = (
  { documents, tableNames, name }: Stage,
  outputs: StackOutputs,
  sqs: SQSClient,
  now: Clock,
): LetterHandler => {
  const stores = createPaymentStores(documents, paymentTablesOf(tableNames), { now });
  const paymentsQueueUrl = requireOutput(outputs, 'PaymentsQueueUrl', name);

  const verdictOf = async (parsed: ReturnType<typeof parsePaymentEvent>): Promise<string> => {
    if (!parsed.ok) return parsed.reason;
    const previewed = await previewPayment(parsed.event, stores[parsed.event.mode]);
    return previewed.outcome === 'rejected' ? previewed.reason : previewed.outcome;
  };

  return {
    queueUrl: requireOutput(outputs, 'DeadLetterQueueUrl', name),

    async examine({ body }) {
      const parsed = parsePaymentEvent(body, now());
      const verdict = await verdictOf(parsed);
      const isRedrivable = verdict === 'recorded' || verdict === 'duplicate';
      const { cartId, payment } = parsed.ok ? parsed.event : parsed;
      if (cartId === undefined || !payment) return { verdict, isRedrivable, subject: '', fields: {} };
      const { paymentId, result, amount, currency } = payment;
      return {
        verdict,
        isRedrivable,
        subject: `cart ${cartId}, payment ${paymentId} ${result}, ${amount} ${currency}`,
        fields: { payment: { cartId, paymentId, result, amount, currency } },
      };
    },

    async redrive({ body }) {
      await sqs.send(new SendMessageCommand({ QueueUrl: paymentsQueueUrl, MessageBody: body }));
      return true;
    },
  };
};
