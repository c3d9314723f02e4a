import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from '../command.ts';

/** The subject of a dead letter, and the outcome of a redrive. */
export interface ExaminedLetter {
  /** The outcome of a redrive, or the reason of a rejection. */
  readonly verdict: string;
  /** The subject, for people. */
  readonly subject: string;
  /** The subject, for `--json`. */
  readonly fields: object;
  /**
   * Sends the letter to the service again. Absent if the service would reject it. The caller deletes the letter afterwards,
   * so it may arrive twice, but it is never lost.
   *
   * @returns whether the service accepts it
   */
  readonly redrive?: (() => Promise<boolean>) | undefined;
}

export type Examine = (body: string, context: Context, sqs: SQSClient) => Promise<ExaminedLetter>;

/** A letter without a subject that can be read. */
export const unreadableLetter = (verdict: string): ExaminedLetter => ({ verdict, subject: '', fields: {} });

/** A redrive that sends the letter to a queue, as it is. */
export const sendTo =
  (sqs: SQSClient, QueueUrl: string, MessageBody: string): ExaminedLetter['redrive'] =>
  async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    return true;
  };
