import { BACKLOG_NOTE } from '../../stage/backlog-times.ts';
import { DEAD_LETTER_QUEUES, QUEUES } from '../../stage/queues.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { optional, variadic } from '../frame/parameter.ts';
import { choice, ID } from '../frame/value-types.ts';

const LABELS = DEAD_LETTER_QUEUES.map((name) => QUEUES[name].label);

/** An operator's name for a queue of dead letters. */
export type QueueLabel = (typeof LABELS)[number];

const QUEUE = { queue: optional(choice('name', LABELS), 'only this queue; default: all') };

/** Why a redrive would reject a letter, or change nothing. */
export const LETTER_REJECTIONS = [
  'malformed',
  'malformedEvent',
  'futurePayment',
  'unknownCart',
  'paymentOfAnotherCart',
  'amountMismatch',
  'conflictingEvent',
  'tooManyPayments',
  'tooManyRefunds',
  'alreadyRecorded',
  'eventDeleted',
  'endpointDisabled',
  'endpointRemoved',
] as const;

/** The verdicts on letters that a redrive would handle. */
export const REDRIVABLE = ['recorded', 'sent', 'delivered'] as const;

const HIDDEN_NOTE =
  'As `dead-letters list`, it ends with 1 if another command had messages, and Ctrl-C releases its own.';

export const DEAD_LETTERS = {
  list: define({
    summary: 'list what the stage could not handle, and why',
    options: QUEUE,
    json: 'deadLetters(messageId queue sentAt verdict payment? event? delivery?) hidden?(queue count until) hasMore?',
    example: 'dead-letters list --queue events --stage prod',
    notes: `\
The queue payments has payment events that could not be recorded, events has unsent events, and deliveries has
webhook deliveries that could not be handled. IF REDRIVEN NOW is the outcome of a redrive: recorded,
alreadyRecorded, sent, delivered, or the reason of a rejection. docs/operate.md explains them.
SQS hides the messages that another command has, for up to four minutes. The command names how many may be missing, and when they
are visible again at the latest, and then ends with 1. The count of SQS may be a minute old. Ctrl-C releases the messages at once.
One command holds up to 100,000 messages of a queue. If there may be more, it says so.`,
  }),
  redrive: define({
    summary: 'retry what would now succeed',
    options: QUEUE,
    asks: true,
    audits: 'queue redriven left',
    json: 'redriven left hidden?(queue count until) hasMore?',
    example: 'dead-letters redrive --stage prod',
    notes: `\
It keeps the messages that the stage would reject again. A message that was handled before changes nothing, but an event
may be sent twice, with the same id.
${BACKLOG_NOTE}
${HIDDEN_NOTE}`,
  }),
  remove: define(
    {
      summary: 'remove messages that nobody needs',
      arguments: { ids: variadic({ ...ID, placeholder: 'messageId' }, 'the message ids, as listed') },
      options: {
        verdict: optional(
          choice('reason', LETTER_REJECTIONS),
          'instead of ids: all messages that a redrive now would reject with this reason',
        ),
        ...QUEUE,
      },
      asks: true,
      audits: 'messageIds verdict queue removed',
      json: 'removed notFound? hidden?(queue count until) hasMore?',
      example: 'dead-letters remove --verdict unknownCart --queue payments --stage prod',
      notes: `\
The messages are lost: check them with \`dead-letters list\` first. By its id, you can remove any message.
${HIDDEN_NOTE}`,
    },
    ({ ids, verdict }) => {
      if (ids?.length ? verdict !== undefined : verdict === undefined)
        throw new UsageError('Name the messages to remove: either their ids, or --verdict.');
    },
  ),
};
