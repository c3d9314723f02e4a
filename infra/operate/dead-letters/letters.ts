import type { Context } from '../command.ts';
import { createSqs } from '../queues.ts';
import { outputOf } from '../stack-outputs.ts';
import { LETTER_KINDS, type LetterKind } from './commands.ts';
import { type DeadLetter, type Decision, decideOnEach } from './dead-letter-queue.ts';
import { examineDelivery } from './delivery-letters.ts';
import { examineEvent } from './event-letters.ts';
import type { Examine, ExaminedLetter } from './examined-letter.ts';
import { examinePayment } from './payment-letters.ts';

/** The queue of each kind, by the output of the stack, and how to examine its letters. */
const KINDS: Readonly<Record<LetterKind, readonly [queueOutput: string, examine: Examine]>> = {
  payments: ['DeadLetterQueueUrl', examinePayment],
  events: ['SetAsideQueueUrl', examineEvent],
  deliveries: ['DeliveryDeadLetterQueueUrl', examineDelivery],
};

/** A letter in its queue. */
export interface QueuedLetter extends DeadLetter {
  readonly queue: LetterKind;
  readonly examine: () => Promise<ExaminedLetter>;
}

/** Calls `decide` once for each letter of a queue, or of all. Returns whether there may be more. */
export const forEachLetter = async (
  queue: LetterKind | undefined,
  context: Context,
  decide: (letter: QueuedLetter) => Promise<Decision>,
): Promise<boolean> => {
  const sqs = createSqs();
  let hasMore = false;
  for (const kind of queue === undefined ? LETTER_KINDS : [queue]) {
    const [output, examine] = KINDS[kind];
    const hasMoreOfKind = await decideOnEach(sqs, outputOf(context.stage, output), (letter) =>
      decide({ ...letter, queue: kind, examine: () => examine(letter.body, context, sqs) }),
    );
    hasMore ||= hasMoreOfKind;
  }
  return hasMore;
};
