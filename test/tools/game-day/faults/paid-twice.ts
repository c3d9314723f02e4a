import { randomUUID } from 'node:crypto';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { startWebhookReceiver } from '../../../support/http/webhook-receiver.ts';
import type { Fault } from '../fault.ts';

interface ShownCart {
  readonly paymentId: string;
  readonly duplicatePaymentIds: readonly string[];
  readonly timeline: readonly { readonly refund?: { readonly paymentId: string } }[];
}

/** A buyer has paid a cart twice. */
export const paidTwice: Fault = async (stage, cleanUp) => {
  // In place of the payment provider. It accepts every refund.
  const provider = await startWebhookReceiver();
  cleanUp.defer(() => provider.close());
  const cartId = await stage.paidOrder(await stage.issueKey());
  const second = randomUUID();
  const report = ['payments', 'send', '--cart', cartId, '--yes', '--payment-id'];
  await stage.operate(...report, second, '--result', 'succeeded', '--provider-id', 'second-window');
  return {
    section: 'DuplicatePayments',
    report: [
      `Our customer's bank shows two charges for one order. Your id of it is ${cartId}.`,
      'She wants one of them back.',
      `(The payment side refunds a payment by: curl -i -X POST ${provider.url}/{paymentId})`,
    ],
    isMended: async () => {
      const { paymentId: first, timeline } = await stage.operate<ShownCart>('carts', 'show', cartId);
      const isRefunded = (paymentId: string) =>
        provider.received.some(({ path }) => path.endsWith(`/${paymentId}`));
      if (isRefunded(first)) throw new OperatorError(`The payment ${first} was no duplicate payment.`);
      return isRefunded(second) && timeline.some(({ refund }) => refund?.paymentId === second);
    },
    mend: async () => {
      const { duplicatePaymentIds } = await stage.operate<ShownCart>('carts', 'show', cartId);
      const [paymentId = ''] = duplicatePaymentIds;
      await fetch(`${provider.url}/${paymentId}`, { method: 'POST' });
      await stage.operate(...report, paymentId, '--result', 'refunded', '--provider-id', 'refund-1');
    },
  };
};
