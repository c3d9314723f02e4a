import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, localQueueUrl } from '../../../../infra/local-access/local-names.ts';
import { HOLD_SECONDS } from '../../../../infra/operate/dead-letters/dead-letter-queue.ts';
import { countMessages } from '../../../../infra/operate/shared/count-messages.ts';
import { OperatorError } from '../../../../infra/terminal/operator-error.ts';
import { returnMessages } from '../../../../lib/queues/returned-messages.ts';
import { eventAbout } from '../../../support/domain/payment-events.ts';
import type { Fault } from '../fault.ts';

interface ShownCart {
  readonly status: string;
  readonly duplicatePaymentIds: readonly string[];
}

const redrive = ['dead-letters', 'redrive', '--queue', 'payments', '--yes'] as const;

/** A payment became a dead letter in an outage. A colleague's command, which was killed, still hides it. */
export const hiddenDeadLetter: Fault = async (stage, cleanUp) => {
  const endpoint = stage.dynamodbEndpoint;
  const QueueUrl = localQueueUrl(endpoint, 'paymentDeadLetter');
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false, ...localClientConfig(endpoint) });
  cleanUp.defer(() => sqs.destroy());
  const { cartId } = await stage.order(await stage.issueKey());
  const paymentId = randomUUID();
  const occurredAt = new Date().toISOString();
  const MessageBody = eventAbout(cartId, { paymentId, amount: 49.9, occurredAt });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const hold = { QueueUrl, WaitTimeSeconds: 1, VisibilityTimeout: HOLD_SECONDS };
  const { Messages: [held] = [] } = await sqs.send(new ReceiveMessageCommand(hold));
  return {
    section: 'PaymentDeadLetters',
    report: [
      `Our customer paid ${cartId} during your outage. She has the receipt ${paymentId}, of ${occurredAt}.`,
      'Your API still says waiting_payment. A colleague of yours looked for it just now, until his laptop broke down.',
    ],
    isMended: async () => {
      const { status, duplicatePaymentIds } = await stage.operate<ShownCart>('carts', 'show', cartId);
      if (duplicatePaymentIds.length > 0)
        throw new OperatorError('The one payment of the buyer counts twice now.');
      const { visible, hidden } = await countMessages(sqs, QueueUrl);
      return status === 'completed' && visible + hidden === 0;
    },
    mend: async () => {
      const isHidden = await stage.operate(...redrive).then(
        () => false,
        ({ message }: Error) => message.includes('may be missing'),
      );
      if (!isHidden) throw new OperatorError('The command does not say that a dead letter is hidden.');
      // A player waits until the time that the command has named.
      await returnMessages(sqs, QueueUrl, [{ receiptHandle: held?.ReceiptHandle ?? '', delaySeconds: 0 }]);
      await stage.operate(...redrive);
    },
  };
};
