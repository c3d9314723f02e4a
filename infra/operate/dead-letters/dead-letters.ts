import { OperatorError } from '../../operator-error.ts';
import type { Action, Context } from '../command.ts';
import { type Columns, minuteOf, table } from '../output.ts';
import { createSqs } from '../queues.ts';
import { outputOf } from '../stage.ts';
import { type DEAD_LETTERS, LETTER_KINDS, type LetterKind } from './commands.ts';
import { type DeadLetter, type Decision, decideOnEach } from './dead-letter-queue.ts';
import { type ExaminedLetter, KINDS } from './letters.ts';

/** The line about a command that may have left letters. */
const MORE_LETTERS =
  'There may be more dead letters than one run reads: repeat the command, after `dead-letters redrive` if there are over 10,000.';

/** Calls `decide` once for each letter of a queue, or of all. Returns whether there may be more. */
const forEachLetter = async (
  only: LetterKind | undefined,
  { stage }: Context,
  decide: (letter: DeadLetter, queue: LetterKind) => Promise<Decision>,
): Promise<boolean> => {
  const sqs = createSqs();
  let hasMore = false;
  for (const queue of only === undefined ? LETTER_KINDS : [only]) {
    const { output } = KINDS[queue];
    const isCut = await decideOnEach(sqs, outputOf(stage, output), (letter) => decide(letter, queue));
    hasMore ||= isCut;
  }
  return hasMore;
};

type ListedLetter = DeadLetter & ExaminedLetter & { readonly queue: LetterKind };

const COLUMNS: Columns<ListedLetter> = {
  'MESSAGE ID': ({ messageId }) => messageId,
  QUEUE: ({ queue }) => queue,
  'SENT (UTC)': ({ sentAtMs }) => minuteOf(sentAtMs),
  ABOUT: ({ subject = '' }) => subject,
  'IF REDRIVEN NOW': ({ verdict }) => verdict,
};

export const list: Action<typeof DEAD_LETTERS.list> = async ({ queue: only }, context) => {
  const listed: ListedLetter[] = [];
  const hasMore = await forEachLetter(only, context, async (letter, queue) => {
    listed.push({ ...letter, queue, ...(await KINDS[queue].examine(letter.body, context)) });
    return 'keep';
  });
  const lines = table(context.stdout, COLUMNS, listed, 'There are no dead letters.');
  return {
    json: {
      deadLetters: listed.map(({ fields, ...letter }) => ({ ...letter, ...fields })),
      hasMore: hasMore || undefined,
    },
    lines: hasMore ? [...lines, MORE_LETTERS] : lines,
  };
};

export const redrive: Action<typeof DEAD_LETTERS.redrive> = async ({ queue: only }, context) => {
  const which = only === undefined ? 'all dead letters' : `the dead letters of ${only}`;
  // The mode of some cannot be read.
  await context.confirm(`Redriving ${which} of the stage ${context.stage.name}`, 'live');
  const counts = { redriven: 0, left: 0 };
  const redriveAll = () =>
    forEachLetter(only, context, async ({ body }, queue) => {
      const { redrive: send } = await KINDS[queue].examine(body, context);
      const isRedriven = send ? await send() : false;
      counts[isRedriven ? 'redriven' : 'left'] += 1;
      return isRedriven ? 'remove' : 'keep';
    });
  const hasMore = await context.change({ queue: only }, redriveAll, () => counts);
  const { redriven, left } = counts;
  const line = `Redriven: ${redriven}. Kept, because the stage would reject them again: ${left}.`;
  return {
    json: { redriven, left, hasMore: hasMore || undefined },
    lines: hasMore ? [line, MORE_LETTERS] : [line],
  };
};

export const remove: Action<typeof DEAD_LETTERS.remove> = async ({ id: messageId }, context) => {
  const action = `Permanently removing the dead letter ${messageId} of the stage ${context.stage.name}`;
  // The mode of some letters cannot be read.
  await context.confirm(action, 'live');
  await context.change({ messageId }, async () => {
    let isRemoved = false;
    const hasMore = await forEachLetter(undefined, context, async (letter) => {
      if (letter.messageId !== messageId) return 'keep';
      isRemoved = true;
      return 'remove';
    });
    if (isRemoved) return;
    throw new OperatorError(
      hasMore
        ? `None of those read has the message id ${messageId}. ${MORE_LETTERS}`
        : `No dead letter has the message id ${messageId}.`,
    );
  });
  return { json: { messageId, removed: true }, lines: [`Removed the dead letter ${messageId}.`] };
};
