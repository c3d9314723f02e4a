import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  MessageNotInflight,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetter } from './dead-letter.ts';

/** `remove` deletes the letter: the caller has redriven it, or nobody needs it. */
export type Decision = 'keep' | 'remove';

const LETTERS_MAX = 1_000;

/** SQS's limit per call. */
const BATCH_MAX = 10;

/** Long enough to decide on a batch. If this process dies, its messages are then visible again. */
const HOLD_SECONDS = 60;

const toDeadLetter = ({ MessageId = '', Body = '', Attributes }: Message): DeadLetter => ({
  messageId: MessageId,
  sentAtMs: Number(Attributes?.SentTimestamp),
  body: Body,
});

const receive = async (sqs: SQSClient, QueueUrl: string): Promise<readonly Message[]> => {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: BATCH_MAX,
    MessageSystemAttributeNames: ['SentTimestamp'],
    VisibilityTimeout: HOLD_SECONDS,
    // A short poll asks only some of SQS's servers, and may miss messages.
    WaitTimeSeconds: 1,
  });
  return (await sqs.send(command)).Messages ?? [];
};

/** A message that was held too long is visible again already. */
const ignoreReleased = (error: unknown): void => {
  if (!(error instanceof MessageNotInflight)) throw error;
};

/** Calls `decide` once for each of the current messages of a queue, at most 1,000. */
export const decideOnEach = async (
  sqs: SQSClient,
  QueueUrl: string,
  decide: (letter: DeadLetter) => Promise<Decision>,
): Promise<void> => {
  const kept = new Map<string, Message>();
  for (let seen = 0; seen < LETTERS_MAX;) {
    const messages = await receive(sqs, QueueUrl);
    const fresh = messages.filter(({ MessageId = '' }) => !kept.has(MessageId)).slice(0, LETTERS_MAX - seen);
    for (const message of fresh) {
      const { MessageId = '', ReceiptHandle } = message;
      // Release it at the end. If it were visible now, SQS would send it again.
      if ((await decide(toDeadLetter(message))) === 'keep') kept.set(MessageId, message);
      else await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    seen += fresh.length;
    if (fresh.length === 0) break;
  }
  for (const { ReceiptHandle } of kept.values()) {
    const release = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    await sqs.send(release).catch(ignoreReleased);
  }
};
