import type { Action } from '../command.ts';
import { type Columns, minuteOf, table, withIsoTimes } from '../output.ts';
import type { DEAD_LETTERS, LetterKind } from './commands.ts';
import { MORE_LETTERS } from './dead-letter-queue.ts';
import type { ExaminedLetter } from './examined-letter.ts';
import { forEachLetter } from './letters.ts';

interface ListedLetter extends ExaminedLetter {
  readonly messageId: string;
  readonly queue: LetterKind;
  readonly sentAtMs: number;
}

const COLUMNS: Columns<ListedLetter> = {
  'MESSAGE ID': ({ messageId }) => messageId,
  QUEUE: ({ queue }) => queue,
  'SENT (UTC)': ({ sentAtMs }) => minuteOf(sentAtMs),
  ABOUT: ({ subject }) => subject,
  'IF REDRIVEN NOW': ({ verdict }) => verdict,
};

export const run: Action<typeof DEAD_LETTERS.list> = async ({ queue: only }, context) => {
  const listed: ListedLetter[] = [];
  const hasMore = await forEachLetter(only, context, async ({ messageId, sentAtMs, queue, examine }) => {
    listed.push({ messageId, sentAtMs, queue, ...(await examine()) });
    return 'keep';
  });
  const deadLetters = listed.map(({ messageId, queue, sentAtMs, verdict, fields }) =>
    withIsoTimes({ messageId, queue, sentAtMs, verdict, ...fields }),
  );
  const lines = table(COLUMNS, listed, 'There are no dead letters.');
  return {
    json: { deadLetters, ...(hasMore && { hasMore }) },
    lines: hasMore ? [...lines, MORE_LETTERS] : lines,
  };
};
