import { define, optional, required } from '../command.ts';
import { choice, ID } from '../value-types.ts';

/** The queues of dead letters: payment events, events that were set aside, and webhook deliveries. */
export const LETTER_KINDS = ['payments', 'events', 'deliveries'] as const;

export type LetterKind = (typeof LETTER_KINDS)[number];

const QUEUE = { queue: optional(choice('name', LETTER_KINDS), 'only this queue; default: all') };

export const DEAD_LETTERS = {
  list: define({
    summary: 'list what the stage could not handle, and why',
    options: QUEUE,
    stage: 'deployed',
    json: 'deadLetters(messageId queue sentAt verdict payment? event? delivery?) hasMore?',
    example: 'dead-letters list --queue events --stage prod',
    notes: `\
The queue payments has payment events that could not be recorded, events has set-aside events, and deliveries has
webhook deliveries that could not be handled. IF REDRIVEN NOW is the outcome of a redrive: recorded,
alreadyRecorded, sent, delivered, or the reason of a rejection. docs/operate.md explains them.
One command reads up to 10,000 messages of each queue. If there may be more, it says so.`,
  }),
  redrive: define({
    summary: 'retry what would now succeed',
    options: QUEUE,
    stage: 'deployed',
    asks: true,
    audits: 'queue redriven left',
    json: 'redriven left hasMore?',
    example: 'dead-letters redrive --stage prod',
    notes: `\
It keeps the messages that the stage would reject again. A message that was handled before changes nothing, but an event
may be sent twice, with the same id.`,
  }),
  remove: define({
    summary: 'remove a message that nobody needs',
    arguments: { id: required({ ...ID, placeholder: 'messageId' }, 'the message id, as listed') },
    stage: 'deployed',
    asks: true,
    audits: 'messageId',
    json: 'messageId removed',
    example: 'dead-letters remove 5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11 --stage prod',
    notes: 'The message is lost: check it with `dead-letters list` first.',
  }),
};
