import { Command, Option } from 'commander';
import { OperatorError } from '../../operator-error.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, parseId, stageCommand, withYes, type YesFlag } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { createSqs } from '../queues.ts';
import { findStage } from '../stage.ts';
import { decideOnEach, MORE_LETTERS } from './dead-letter-queue.ts';
import {
  type DeadLetter,
  type ExaminedLetter,
  LETTER_KINDS,
  type LetterHandler,
  type LetterKind,
} from './dead-letter.ts';
import { deliveryLetters } from './delivery-letters.ts';
import { eventLetters } from './event-letters.ts';
import { paymentLetters } from './payment-letters.ts';

interface LettersFlags extends CommonFlags {
  readonly queue?: LetterKind;
}

interface ListedLetter extends ExaminedLetter {
  readonly messageId: string;
  readonly queue: LetterKind;
  readonly sentAtMs: number;
}

/** The dead letters of a deployed stage: of one kind, or of all. */
const findLetters = async (host: Host, { queue, ...flags }: LettersFlags) => {
  const stage = await findStage(flags, host.clock);
  const { outputs } = stage;
  if (!outputs) {
    throw new OperatorError(
      'The local stage has no dead letters, because it drops a message that fails each time: select a deployed stage with --stage.',
    );
  }
  const sqs = createSqs();
  const handlers: Readonly<Record<LetterKind, LetterHandler>> = {
    payments: paymentLetters(stage, outputs, sqs, host.now),
    events: eventLetters(stage, outputs, host),
    deliveries: deliveryLetters(stage, outputs, sqs),
  };
  const kinds = queue === undefined ? LETTER_KINDS : [queue];
  return {
    stage,
    /** Calls `decide` once for each letter. Returns whether there may be more. */
    async forEach(
      decide: (letter: DeadLetter, handler: LetterHandler, kind: LetterKind) => Promise<'keep' | 'remove'>,
    ): Promise<boolean> {
      const runs = [];
      for (const kind of kinds) {
        const handler = handlers[kind];
        runs.push(await decideOnEach(sqs, handler.queueUrl, (letter) => decide(letter, handler, kind)));
      }
      return runs.some(({ hasMore }) => hasMore);
    },
  };
};

const COLUMNS: Columns<ListedLetter> = {
  'MESSAGE ID': ({ messageId }) => messageId,
  QUEUE: ({ queue }) => queue,
  'SENT (UTC)': ({ sentAtMs }) => minuteOf(sentAtMs),
  ABOUT: ({ subject }) => subject,
  'IF REDRIVEN NOW': ({ verdict }) => verdict,
};

const toJson = ({ messageId, queue, sentAtMs, verdict, fields }: ListedLetter) => ({
  messageId,
  queue,
  sentAt: isoTime(sentAtMs),
  verdict,
  ...fields,
});

const listDeadLetters = async (host: Host, flags: LettersFlags): Promise<void> => {
  const letters = await findLetters(host, flags);
  const listed: ListedLetter[] = [];
  const hasMore = await letters.forEach(async (letter, handler, queue) => {
    const { messageId, sentAtMs } = letter;
    listed.push({ messageId, sentAtMs, queue, ...(await handler.examine(letter)) });
    return 'keep';
  });
  const lines = table(host, COLUMNS, listed, 'There are no dead letters.');
  const result = { deadLetters: listed.map(toJson), ...(hasMore && { hasMore }) };
  await print(host, flags.json, result, hasMore ? [...lines, MORE_LETTERS] : lines);
};

type Letters = Awaited<ReturnType<typeof findLetters>>;

const redriveAll = async (letters: Letters) => {
  let redriven = 0;
  let left = 0;
  const hasMore = await letters.forEach(async (letter, handler) => {
    if ((await handler.examine(letter)).isRedrivable && (await handler.redrive(letter))) {
      redriven += 1;
      return 'remove';
    }
    left += 1;
    return 'keep';
  });
  return { redriven, left, hasMore };
};

type ChangeFlags = LettersFlags & YesFlag;

/** Asks before a command changes dead letters. The mode of some cannot be read, so all count as live. */
const confirmChange = (host: Host, action: string, { stage }: Letters, flags: YesFlag): Promise<void> =>
  confirmLive(host, `${action} of the stage ${stage.name}`, { ...flags, mode: 'live' });

const redriveDeadLetters = async (host: Host, flags: ChangeFlags): Promise<void> => {
  const letters = await findLetters(host, flags);
  const { queue } = flags;
  const which = queue === undefined ? 'all dead letters' : `the dead letters of ${queue}`;
  await confirmChange(host, `Redriving ${which}`, letters, flags);
  const { redriven, left, hasMore } = await recordChange(
    host,
    letters.stage,
    { command: 'dead-letters redrive', ids: { queue } },
    () => redriveAll(letters),
    (result) => ({ redriven: result.redriven, left: result.left }),
  );
  await print(host, flags.json, { redriven, left, ...(hasMore && { hasMore }) }, [
    `Redriven: ${redriven}. Kept, because the stage would reject them again: ${left}.`,
    ...(hasMore ? [MORE_LETTERS] : []),
  ]);
};

const removeDeadLetter = async (host: Host, messageId: string, flags: ChangeFlags): Promise<void> => {
  const letters = await findLetters(host, flags);
  await confirmChange(host, `Permanently removing the dead letter ${messageId}`, letters, flags);
  const change = { command: 'dead-letters remove', ids: { messageId } };
  await recordChange(host, letters.stage, change, async () => {
    let isRemoved = false;
    const hasMore = await letters.forEach(async (letter) => {
      if (letter.messageId !== messageId) return 'keep';
      isRemoved = true;
      return 'remove';
    });
    if (isRemoved) return;
    const missing = `No dead letter has the message id ${messageId}.`;
    throw new OperatorError(
      hasMore ? `None of those read has the message id ${messageId}. ${MORE_LETTERS}` : missing,
    );
  });
  await print(host, flags.json, { messageId, removed: true }, [`Removed the dead letter ${messageId}.`]);
};

const LIST_HELP = `
Examples:
  npm run operate -- dead-letters list --stage prod
  npm run operate -- dead-letters list --queue events --stage prod

Queues: payments, the payment events that could not be recorded; events, the records of streams that were set aside;
deliveries, the webhook deliveries that could not be handled. IF REDRIVEN NOW is the outcome of a redrive: recorded,
duplicate (recorded before), sent, scheduled, delivered, or the reason of a rejection. docs/operate.md explains them.
One run reads up to 10,000 messages of each queue. If there may be more, it says so.`;

const REDRIVE_HELP = `
Example:
  npm run operate -- dead-letters redrive --stage prod

It keeps the messages that the stage would reject again. A message that was handled before changes nothing, but an event
may be sent twice, with the same id.`;

const REMOVE_HELP = `
Example:
  npm run operate -- dead-letters remove 5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11 --stage prod

The message is lost: check it with \`list\` first.`;

/** `dead-letters`: works on the messages that a stage could not handle. Their queues keep them for 14 days. */
export const deadLettersCommand = (host: Host): Command => {
  const queueCommand = (name: string, description: string, help: string): Command =>
    stageCommand(name, description, help).addOption(
      new Option('--queue <name>', 'only this queue; default: all').choices(LETTER_KINDS),
    );
  const list = queueCommand('list', 'list what the stage could not handle, and why', LIST_HELP).action(
    (flags: LettersFlags) => listDeadLetters(host, flags),
  );
  const redrive = withYes(queueCommand('redrive', 'retry what would now succeed', REDRIVE_HELP)).action(
    (flags: ChangeFlags) => redriveDeadLetters(host, flags),
  );
  const remove = withYes(queueCommand('remove', 'remove a message that nobody needs', REMOVE_HELP))
    .argument('<messageId>', 'the message id, as listed', parseId)
    .action((messageId: string, flags: ChangeFlags) => removeDeadLetter(host, messageId, flags));
  return new Command('dead-letters')
    .description('list, redrive and remove what a deployed stage could not handle')
    .addCommand(list)
    .addCommand(redrive)
    .addCommand(remove);
};
