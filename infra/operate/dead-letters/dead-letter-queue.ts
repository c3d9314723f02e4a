import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  MessageNotInflight,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { createPaymentStores } from '../../../lib/carts/payment-stores.ts';
import { paymentTablesOf } from '../../payment-tables.ts';
import { OperatorError } from '../../operator-error.ts';
import { requireOutput } from '../stack-outputs.ts';
import { findStage, type StageFlags } from '../stage.ts';

/** A payment event that could not be recorded. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** The message as sent: the JSON text of an EventBridge event if it is valid. */
  readonly body: string;
}

export type Decision = 'keep' | 'redrive' | 'remove';

/** The dead letters of a stage. */
export interface DeadLetterQueue {
  readonly stores: ReturnType<typeof createPaymentStores>;
  /**
   * Decides once on each of the current dead letters, at most 1,000. A redrive sends a letter to the payments queue before
   * it deletes it here. The letter may then arrive twice, which changes nothing, but it is never lost.
   */
  decide(decision: (letter: DeadLetter) => Promise<Decision>): Promise<void>;
}

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

const apply = async (
  sqs: SQSClient,
  queues: { readonly deadLetters: string; readonly payments: string },
  { Body, ReceiptHandle }: Message,
  decision: Decision,
): Promise<void> => {
  if (decision === 'redrive')
    await sqs.send(new SendMessageCommand({ QueueUrl: queues.payments, MessageBody: Body }));
  const message = { QueueUrl: queues.deadLetters, ReceiptHandle };
  if (decision === 'keep')
    await sqs.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
  else await sqs.send(new DeleteMessageCommand(message));
};

/** A message that was held too long is visible again already. */
const ignoreReleased = (error: unknown): void => {
  if (!(error instanceof MessageNotInflight)) throw error;
};

/**
 * Finds the dead letters of a deployed stage.
 *
 * @throws OperatorError if no deployed stage is selected, or its stack cannot be read
 */
export const findDeadLetters = async (flags: StageFlags): Promise<DeadLetterQueue> => {
  const stage = await findStage(flags);
  const { outputs, name } = stage;
  if (!outputs) {
    throw new OperatorError(
      'The local stage has no dead letters, because its payments come from the sandbox page: select a deployed stage with --stage.',
    );
  }
  const queues = {
    deadLetters: requireOutput(outputs, 'DeadLetterQueueUrl', name),
    payments: requireOutput(outputs, 'PaymentsQueueUrl', name),
  };
  // The default would send calls to the queue's address and ignore AWS_ENDPOINT_URL.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  return {
    stores: createPaymentStores(stage.documents, paymentTablesOf(stage.tableNames), { now: Date.now }),

    async decide(decision) {
      const kept = new Map<string, Message>();
      for (let seen = 0; seen < LETTERS_MAX;) {
        const messages = await receive(sqs, queues.deadLetters);
        const fresh = messages
          .filter(({ MessageId = '' }) => !kept.has(MessageId))
          .slice(0, LETTERS_MAX - seen);
        for (const message of fresh) {
          const decided = await decision(toDeadLetter(message));
          // Release it at the end. If it were visible now, SQS would send it again.
          if (decided === 'keep') kept.set(message.MessageId ?? '', message);
          else await apply(sqs, queues, message, decided);
        }
        seen += fresh.length;
        if (fresh.length === 0) break;
      }
      for (const message of kept.values()) await apply(sqs, queues, message, 'keep').catch(ignoreReleased);
    },
  };
};
