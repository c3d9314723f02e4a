import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { type Decision, decideOnEach } from '../../../../infra/operate/dead-letters/dead-letter-queue.ts';

interface Given {
  readonly letters: number;
  /** The letters of which SQS knows before the run. */
  readonly counted?: number;
  readonly decide: () => Promise<Decision>;
  readonly isOver?: () => boolean;
}

/** Runs over a queue with so many letters. It is in memory, because SQS's own protocol takes seconds for so many. */
const runOver = async ({ letters, counted = letters, decide, isOver = () => false }: Given) => {
  let [sent, released, deleted, hiddenSeconds] = [0, 0, 0, 0];
  const send = async (command: unknown) => {
    if (command instanceof ChangeMessageVisibilityBatchCommand)
      released += command.input.Entries?.length ?? 0;
    if (command instanceof DeleteMessageBatchCommand) deleted += command.input.Entries?.length ?? 0;
    if (command instanceof GetQueueAttributesCommand)
      return { Attributes: { ApproximateNumberOfMessages: String(counted) } };
    if (!(command instanceof ReceiveMessageCommand)) return {};
    hiddenSeconds = Math.max(hiddenSeconds, command.input.VisibilityTimeout ?? Infinity);
    const Messages = Array.from({ length: Math.min(10, letters - sent) }, (_, index) => ({
      MessageId: String(sent + index),
    }));
    sent += Messages.length;
    return { Messages };
  };
  const sqs = { send } as unknown as SQSClient;
  const run = await decideOnEach(sqs, 'https://queue', decide, isOver).catch(() => 'failed');
  // The period of the alarms on dead letters. A letter that is hidden for all of it would count as a new one.
  expect(hiddenSeconds).toBeLessThan(300);
  return { run, released, deleted };
};

const decideAs = (decision: Decision) => async () => decision;
const WHOLE = { hidden: 0, hasMore: false };

describe('a run', () => {
  test('holds 100,000 letters at most: SQS would soon deliver none', async () => {
    const all = await runOver({ letters: 100_000, decide: decideAs('keep') });
    expect(all).toStrictEqual({ run: WHOLE, released: 100_000, deleted: 0 });
    const more = await runOver({ letters: 101_000, decide: decideAs('keep') });
    expect(more).toStrictEqual({ run: { hidden: 0, hasMore: true }, released: 100_010, deleted: 0 });
  });

  test('ends if redriven letters come back at once, but removes any number of others', async () => {
    const removed = await runOver({ letters: 101_000, decide: decideAs('remove') });
    expect(removed).toStrictEqual({ run: WHOLE, released: 0, deleted: 101_000 });
    const endless = await runOver({ letters: Infinity, counted: 50, decide: decideAs('remove') });
    expect(endless).toStrictEqual({ run: { hidden: 0, hasMore: true }, released: 10, deleted: 10_050 });
  });

  test('releases its letters if it fails, and deletes those that it has redriven', async () => {
    let decided = 0;
    const failOnThird = async (): Promise<Decision> => {
      decided += 1;
      if (decided === 3) throw new Error('slow database');
      return 'remove';
    };
    const failed = await runOver({ letters: 15, decide: failOnThird });
    expect(failed).toStrictEqual({ run: 'failed', released: 1, deleted: 9 });
  });

  test('names the letters that another command took at the same time', async () => {
    const { run } = await runOver({ letters: 960, counted: 1_999, decide: decideAs('keep') });
    expect(run).toStrictEqual({ hidden: 1_039, hasMore: false });
  });
});
