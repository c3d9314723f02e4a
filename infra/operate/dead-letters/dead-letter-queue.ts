import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inParts } from '../../../lib/core/in-parts.ts';
import { BATCH_ENTRIES_MAX } from '../../../lib/core/message-batches.ts';
import { type ReturnedMessage, returnMessages } from '../../../lib/core/returned-messages.ts';

/** A message that a stage could not handle. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  readonly body: string;
}

/** `remove` deletes the letter: the caller has redriven it, or nobody needs it. */
export type Decision = 'keep' | 'remove';

/** The most letters that a command reads of a queue: it ends even if redriven letters come back at once. */
const LETTERS_MAX = 10_000;

/**
 * Long enough to decide on all letters. If this process dies, they are then visible again. Less than the period of
 * the alarms on dead letters: a hidden letter would count as a new one.
 */
const HOLD_SECONDS = 240;

/**
 * Calls `decide` once for each of the current messages of a queue, at most 10,000.
 *
 * @returns whether the queue may have more, because it has over 10,000, or because some were held for over 4 minutes
 */
export const decideOnEach = async (
  sqs: SQSClient,
  QueueUrl: string,
  decide: (letter: DeadLetter) => Promise<Decision>,
): Promise<boolean> => {
  const poll: ReceiveMessageCommandInput = {
    QueueUrl,
    MaxNumberOfMessages: BATCH_ENTRIES_MAX,
    MessageSystemAttributeNames: ['SentTimestamp'],
    VisibilityTimeout: HOLD_SECONDS,
    // A short poll asks only some of SQS's servers, and may miss messages.
    WaitTimeSeconds: 1,
  };
  const held = new Map<string, ReturnedMessage>();
  try {
    for (let seen = 0; ;) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(poll));
      if (Messages.length === 0) return false;
      // A message that was kept is visible again, and may come in place of a new one for ever.
      const isRepeated = Messages.some(({ MessageId = '' }) => held.has(MessageId));
      // Release them at the end. If they were visible now, SQS would send them again.
      for (const { MessageId = '', ReceiptHandle: receiptHandle = '' } of Messages) {
        held.set(MessageId, { receiptHandle, delaySeconds: 0 });
      }
      seen += Messages.length;
      if (isRepeated || seen > LETTERS_MAX) return true;
      for (const { MessageId: messageId = '', Body: body = '', Attributes, ReceiptHandle } of Messages) {
        const sentAtMs = Number(Attributes?.SentTimestamp);
        if ((await decide({ messageId, sentAtMs, body })) === 'keep') continue;
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        held.delete(messageId);
      }
    }
  } finally {
    // Those that were held too long are visible already: SQS reports them as failed.
    for (const part of inParts([...held.values()], BATCH_ENTRIES_MAX)) {
      await returnMessages(sqs, QueueUrl, part);
    }
  }
};
