import { isoTime } from '../../../lib/core/timestamps.ts';
import { DEAD_LETTER_QUEUES, type DeadLetterQueueName, QUEUES } from '../../stage/queues.ts';
import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { by, ifAny, minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { createSqs, queueUrlOf } from '../target/queues.ts';
import type { DEAD_LETTERS, QueueLabel } from './commands.ts';
import { type DeadLetter, type Decision, decideOnEach, HOLD_SECONDS } from './dead-letter-queue.ts';
import { type Examination, EXAMINERS } from './examiners.ts';

const MORE_LETTERS =
  'There may be more dead letters than one command reads. Redrive them, or remove them by `--verdict`, then repeat the command.';

/** The letters of a queue that another command had. */
interface Hidden {
  readonly queue: QueueLabel;
  readonly count: number;
  /** When they are visible again at the latest. */
  readonly untilMs: number;
}

/** The reasons why a result may lack letters. */
interface Incomplete {
  readonly hidden: readonly Hidden[];
  readonly hasMore: boolean;
  readonly isInterrupted: boolean;
}

/**
 * Calls `decide` once for each letter of a queue, or of all. Ctrl-C ends it, and releases the letters.
 *
 * @param isDone whether no letter is left to find
 */
const forEachLetter = async (
  only: QueueLabel | undefined,
  { stage, now, stopSignal }: Context,
  decide: (letter: DeadLetter, queue: DeadLetterQueueName) => Promise<Decision>,
  isDone = () => false,
): Promise<Incomplete> => {
  const sqs = createSqs(stage);
  const stop = stopSignal();
  const hidden: Hidden[] = [];
  let hasMore = false;
  for (const queue of DEAD_LETTER_QUEUES) {
    const { label } = QUEUES[queue];
    if (only !== undefined && label !== only) continue;
    const url = queueUrlOf(stage, queue);
    const isOver = () => stop.aborted || isDone();
    const unseen = await decideOnEach(sqs, url, (letter) => decide(letter, queue), isOver);
    const count = unseen.hidden;
    if (count > 0) hidden.push({ queue: label, count, untilMs: now() + 1_000 * HOLD_SECONDS });
    hasMore ||= unseen.hasMore;
  }
  return { hidden, hasMore, isInterrupted: stop.aborted };
};

/** Why the result of a command is incomplete. `undefined` if it is not. */
const incompleteness = ({ hidden, isInterrupted }: Incomplete): string | undefined => {
  if (isInterrupted) return 'Interrupted: the dead letters that the command has read are visible again.';
  if (hidden.length === 0) return undefined;
  const counts = hidden.map(({ queue, count }) => `${counted(count, 'dead letter')} of ${queue}`);
  const untilMs = Math.max(...hidden.map((each) => each.untilMs));
  return (
    `${counts.join(' and ')} may be missing: another command had them when this one began. ` +
    `They are visible again at ${isoTime(untilMs).slice(11, 19)} UTC at the latest: repeat the command then.`
  );
};

/** The end of a result that may be incomplete. */
const resultOf = (incomplete: Incomplete, json: object, lines: readonly string[]) => ({
  json: { ...json, hidden: ifAny(incomplete.hidden), hasMore: incomplete.hasMore || undefined },
  lines: incomplete.hasMore ? [...lines, MORE_LETTERS] : lines,
  failure: incompleteness(incomplete),
});

type ListedLetter = DeadLetter & Examination & { readonly queue: QueueLabel };

const COLUMNS: Columns<ListedLetter> = {
  'MESSAGE ID': ({ messageId }) => messageId,
  QUEUE: ({ queue }) => queue,
  'SENT (UTC)': ({ sentAtMs }) => minuteOf(sentAtMs),
  ABOUT: ({ subject = '' }) => subject,
  'IF REDRIVEN NOW': ({ verdict }) => verdict,
};

export const list: Action<typeof DEAD_LETTERS.list> = async ({ queue: only }, context) => {
  const read: ListedLetter[] = [];
  let count = 0;
  const incomplete = await forEachLetter(only, context, async (letter, queue) => {
    const index = count++;
    read[index] = {
      ...letter,
      queue: QUEUES[queue].label,
      ...(await EXAMINERS[queue](letter.body, context)),
    };
    return 'keep';
  });
  // SQS deletes the oldest first.
  const listed = read.toSorted(by(({ sentAtMs }) => sentAtMs));
  const none =
    incompleteness(incomplete) === undefined ? 'There are no dead letters.' : 'No dead letter is visible.';
  const deadLetters = listed.map(({ fields, ...letter }) => ({ ...letter, ...fields }));
  return resultOf(incomplete, { deadLetters }, table(context.stdout, COLUMNS, listed, none));
};

export const redrive: Action<typeof DEAD_LETTERS.redrive> = async ({ queue: only }, context) => {
  const which = only === undefined ? 'all dead letters' : `the dead letters of ${only}`;
  // The mode of some cannot be read.
  await context.confirm(`Redriving ${which} of the stage ${context.stage.name}`, 'live');
  const counts = { redriven: 0, left: 0 };
  const redriveAll = () =>
    forEachLetter(only, context, async ({ body }, queue) => {
      const { redrive: send } = await EXAMINERS[queue](body, context);
      const isRedriven = send ? await send() : false;
      counts[isRedriven ? 'redriven' : 'left'] += 1;
      return isRedriven ? 'remove' : 'keep';
    });
  const incomplete = await context.change({ queue: only }, redriveAll, () => counts);
  const { redriven, left } = counts;
  return resultOf(incomplete, counts, [
    `Redriven: ${redriven}. Kept, because the stage would reject them again: ${left}.`,
  ]);
};

export const remove: Action<typeof DEAD_LETTERS.remove> = async (
  { ids: messageIds = [], verdict, queue: only },
  context,
) => {
  const wanted = new Set(messageIds);
  const which =
    verdict === undefined
      ? `${counted(wanted.size, 'dead letter')}, ${[...wanted].join(', ')},`
      : `all dead letters of ${only ?? 'all queues'} with the verdict ${verdict}`;
  // The mode of some letters cannot be read.
  await context.confirm(`Permanently removing ${which} of the stage ${context.stage.name}`, 'live');
  let removed = 0;
  const isUnneeded = async ({ messageId, body }: DeadLetter, queue: DeadLetterQueueName): Promise<boolean> =>
    verdict === undefined
      ? wanted.delete(messageId)
      : (await EXAMINERS[queue](body, context)).verdict === verdict;
  /** Why it has not removed all. */
  const failureOf = (incomplete: Incomplete): string | undefined => {
    const notFound = [...wanted].map((id) => `No dead letter that was read has the message id ${id}.`);
    return [...notFound, incompleteness(incomplete) ?? []].flat().join(' ') || undefined;
  };
  const removeAll = async (): Promise<Incomplete> => {
    const isDone = () => verdict === undefined && wanted.size === 0;
    const decide = async (letter: DeadLetter, queue: DeadLetterQueueName): Promise<Decision> => {
      if (!(await isUnneeded(letter, queue))) return 'keep';
      removed += 1;
      return 'remove';
    };
    const incomplete = await forEachLetter(only, context, decide, isDone);
    if (wanted.size > 0 && removed === 0) throw new OperatorError(failureOf(incomplete));
    // A search that has found all of its letters need not see the others.
    return isDone() ? { hidden: [], hasMore: false, isInterrupted: false } : incomplete;
  };
  const incomplete = await context.change({ messageIds, verdict, queue: only }, removeAll, () => ({
    removed,
  }));
  const result = resultOf(incomplete, { removed, notFound: ifAny([...wanted]) }, [
    `Removed ${counted(removed, 'dead letter')}.`,
  ]);
  return { ...result, failure: failureOf(incomplete) };
};
