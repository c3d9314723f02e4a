import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { inParallel, WRITES_AT_ONCE } from '../../../lib/core/in-parallel.ts';
import { inParts } from '../../../lib/core/in-parts.ts';
import { BATCH_ENTRIES_MAX } from '../../../lib/queues/batch-entries.ts';
import { type ReturnedMessage, returnMessages } from '../../../lib/queues/returned-messages.ts';
import { countMessages } from '../shared/count-messages.ts';

/** A message that a stage could not handle. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  readonly body: string;
}

/** `remove` deletes the letter: the caller has redriven it, or nobody needs it. */
export type Decision = 'keep' | 'remove';

/** The letters of a queue that a command did not see. */
interface Unseen {
  /** The letters that another command had. They may be among those of this command, if the other one ended meanwhile. */
  readonly hidden: number;
  /** Whether the queue may have more letters than one command reads. */
  readonly hasMore: boolean;
}

/** If redriven letters fail at once, the command would never end. A rejected payment is a dead letter again in 100 s. */
const NEW_LETTERS_MAX = 10_000;

/**
 * SQS delivers nothing while 120,000 messages of a queue are in flight: the queue would then look empty.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const HELD_MAX = 100_000;

/**
 * How long SQS hides a letter from other commands, unless this one releases it. Less than the period of the alarms on dead
 * letters: a hidden letter would count as a new one.
 */
export const HOLD_SECONDS = 240;

const deleteLetters = async (sqs: SQSClient, QueueUrl: string, letters: readonly Message[]) => {
  if (letters.length === 0) return;
  const Entries = letters.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  if (Failed.length > 0) throw new UnavailableError('SQS did not delete all of the messages');
};

/** Decides on the letters of a poll. Deletes those to remove, also if the decision on another one fails. */
const handle = async (
  letters: readonly Message[],
  decide: (letter: DeadLetter) => Promise<Decision>,
  deleteAll: (letters: readonly Message[]) => Promise<void>,
): Promise<void> => {
  const decisions = await Promise.allSettled(
    letters.map(({ MessageId: messageId = '', Body: body = '', Attributes }) =>
      decide({ messageId, sentAtMs: Number(Attributes?.SentTimestamp), body }),
    ),
  );
  await deleteAll(
    letters.filter((_, index) => {
      const decision = decisions[index];
      return decision?.status === 'fulfilled' && decision.value === 'remove';
    }),
  );
  const failed = decisions.find((decision) => decision.status === 'rejected');
  if (failed) throw failed.reason;
};

/**
 * Calls `decide` once for each of the current messages of a queue, for up to ten at the same time.
 *
 * @param isOver ends the command early, such as after Ctrl-C. Letters that it has read are released, as at every end
 */
export const decideOnEach = async (
  sqs: SQSClient,
  QueueUrl: string,
  decide: (letter: DeadLetter) => Promise<Decision>,
  isOver: () => boolean,
): Promise<Unseen> => {
  const poll: ReceiveMessageCommandInput = {
    QueueUrl,
    MaxNumberOfMessages: BATCH_ENTRIES_MAX,
    MessageSystemAttributeNames: ['SentTimestamp'],
    VisibilityTimeout: HOLD_SECONDS,
    // A short poll asks only some of SQS's servers, and may miss messages.
    WaitTimeSeconds: 1,
  };
  const before = await countMessages(sqs, QueueUrl);
  const held = new Map<string, ReturnedMessage>();
  let seen = 0;
  try {
    while (!isOver()) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(poll));
      // Another command began at the same time, and has the rest.
      if (Messages.length === 0)
        return { hidden: Math.max(before.hidden, before.visible + before.hidden - seen), hasMore: false };
      // Some were held for too long. They are visible again, and may come in place of new ones for ever.
      const isRepeated = Messages.some(({ MessageId = '' }) => held.has(MessageId));
      // Release them at the end. If they were visible now, SQS would send them again.
      for (const { MessageId = '', ReceiptHandle: receiptHandle = '' } of Messages) {
        held.set(MessageId, { receiptHandle, delaySeconds: 0 });
      }
      seen += Messages.length;
      const isTooMany = seen > before.visible + NEW_LETTERS_MAX || before.hidden + held.size > HELD_MAX;
      if (isRepeated || isTooMany) return { hidden: before.hidden, hasMore: true };
      await handle(Messages, decide, async (removed) => {
        await deleteLetters(sqs, QueueUrl, removed);
        for (const { MessageId = '' } of removed) held.delete(MessageId);
      });
    }
    return { hidden: before.hidden, hasMore: false };
  } finally {
    // Those that were held too long are visible already: SQS reports them as failed.
    await inParallel(inParts([...held.values()], BATCH_ENTRIES_MAX), WRITES_AT_ONCE, (part) =>
      returnMessages(sqs, QueueUrl, part),
    );
  }
};
