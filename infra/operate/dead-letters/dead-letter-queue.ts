import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  MessageNotInflight,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { OperatorError } from '../../operator-error.ts';
import { requireOutput } from '../stack-outputs.ts';
import { findStage, type Stage, type StageFlags } from '../stage.ts';

/** A payment event that could not be recorded. */
export interface DeadLetter {
  readonly messageId: string;
  /** When it was first sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** An EventBridge event as JSON text, or whatever came in its place. */
  readonly body: string;
}

/** What is to become of a dead letter. */
export type Decision = 'keep' | 'redrive' | 'remove';

/** The dead letters of a stage. */
export interface DeadLetterQueue {
  readonly stage: Stage;
  /**
   * Goes through the dead letters that there are now, each once and at most so many. One to be redriven is sent to
   * where payment events are recorded before it is deleted here: it may come twice, which changes nothing, but is never
   * lost.
   */
  decide(max: number, decision: (letter: DeadLetter) => Promise<Decision>): Promise<void>;
}

/** Of one call; SQS gives no more. */
const BATCH_MAX = 10;

/** Long enough to decide on a batch; should this process end before, its messages show again after it. */
const HOLD_SECONDS = 60;

const toDeadLetter = ({ MessageId = '', Body = '', Attributes }: Message): DeadLetter => ({
  messageId: MessageId,
  sentAtMs: Number(Attributes?.SentTimestamp),
  body: Body,
});

/** A stage's two queues of payment events, by their addresses. */
interface Queues {
  readonly deadLetters: string;
  readonly payments: string;
}

const receive = async (sqs: SQSClient, QueueUrl: string): Promise<readonly Message[]> => {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: BATCH_MAX,
    MessageSystemAttributeNames: ['SentTimestamp'],
    VisibilityTimeout: HOLD_SECONDS,
    // Asks all of SQS's servers: a short poll may find none where there are some.
    WaitTimeSeconds: 1,
  });
  return (await sqs.send(command)).Messages ?? [];
};

const carryOut = async (
  sqs: SQSClient,
  { deadLetters, payments }: Queues,
  { Body, ReceiptHandle }: Message,
  decision: Decision,
): Promise<void> => {
  if (decision === 'redrive')
    await sqs.send(new SendMessageCommand({ QueueUrl: payments, MessageBody: Body }));
  const message = { QueueUrl: deadLetters, ReceiptHandle };
  if (decision === 'keep')
    await sqs.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
  else await sqs.send(new DeleteMessageCommand(message));
};

/** A message that was held too long shows again by itself. */
const ignoreReleased = (error: unknown): void => {
  if (!(error instanceof MessageNotInflight)) throw error;
};

/**
 * Finds the dead letters of a deployed stage.
 *
 * @throws OperatorError if no deployed stage is named, or it cannot be asked
 */
export const findDeadLetters = async (flags: StageFlags): Promise<DeadLetterQueue> => {
  const stage = await findStage(flags);
  const { outputs, name } = stage;
  if (!outputs) {
    throw new OperatorError(
      'The local stage has no dead letters: its payments come from the sandbox page. Name a deployed stage with --stage.',
    );
  }
  const queues = {
    deadLetters: requireOutput(outputs, 'DeadLetterQueueUrl', name),
    payments: requireOutput(outputs, 'PaymentsQueueUrl', name),
  };
  // Else the queue's address, which its stack tells, would take the place of AWS_ENDPOINT_URL.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  return {
    stage,

    async decide(max, decision) {
      const kept = new Map<string, Message>();
      for (let seen = 0; seen < max;) {
        const messages = await receive(sqs, queues.deadLetters);
        const fresh = messages.filter(({ MessageId = '' }) => !kept.has(MessageId)).slice(0, max - seen);
        for (const message of fresh) {
          const decided = await decision(toDeadLetter(message));
          // Released at the end: a message that shows again at once would be received again and again.
          if (decided === 'keep') kept.set(message.MessageId ?? '', message);
          else await carryOut(sqs, queues, message, decided);
        }
        seen += fresh.length;
        if (fresh.length === 0) break;
      }
      for (const message of kept.values()) await carryOut(sqs, queues, message, 'keep').catch(ignoreReleased);
    },
  };
};
