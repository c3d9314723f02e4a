import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { previewPayment } from '../../../lib/carts/record-payment.ts';
import type { Stores } from '../stores.ts';
import { outputOf } from '../stack-outputs.ts';
import { type Examine, sendTo, unreadableLetter } from './examined-letter.ts';

const verdictOf = async (
  parsed: ReturnType<typeof parsePaymentEvent>,
  { payments }: Stores,
): Promise<string> => {
  if (!parsed.ok) return parsed.reason;
  const previewed = await previewPayment(parsed.event, payments[parsed.event.mode]);
  return previewed.outcome === 'rejected' ? previewed.reason : previewed.outcome;
};

/** Events about payments and refunds that could not be recorded. A redrive sends them to the payments queue. */
export const examinePayment: Examine = async (body, { stage, stores, now }, sqs) => {
  const parsed = parsePaymentEvent(body, now());
  const verdict = await verdictOf(parsed, stores);
  const { event } = parsed;
  if (!event) return unreadableLetter(verdict);
  const { cartId } = event;
  const { paymentId, amount, currency } = event.payment ?? event.refund;
  const result = event.payment?.result ?? 'refunded';
  const isAccepted = verdict === 'recorded' || verdict === 'duplicate';
  return {
    verdict,
    subject: `cart ${cartId}, payment ${paymentId} ${result}, ${amount} ${currency}`,
    fields: { payment: { cartId, paymentId, result, amount, currency } },
    redrive: isAccepted ? sendTo(sqs, outputOf(stage, 'PaymentsQueueUrl'), body) : undefined,
  };
};
