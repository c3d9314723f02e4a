import type { Action } from '../command.ts';
import type { DEAD_LETTERS } from './commands.ts';
import { MORE_LETTERS } from './dead-letter-queue.ts';
import { forEachLetter } from './letters.ts';

export const run: Action<typeof DEAD_LETTERS.redrive> = async ({ queue }, context) => {
  const which = queue === undefined ? 'all dead letters' : `the dead letters of ${queue}`;
  // The mode of some cannot be read.
  await context.confirm(`Redriving ${which} of the stage ${context.stage.name}`, 'live');
  let redriven = 0;
  let left = 0;
  const redriveAll = () =>
    forEachLetter(queue, context, async ({ examine }) => {
      const { redrive } = await examine();
      const isRedriven = redrive ? await redrive() : false;
      if (isRedriven) redriven += 1;
      else left += 1;
      return isRedriven ? 'remove' : 'keep';
    });
  const hasMore = await context.change({ queue }, redriveAll, () => ({ redriven, left }));
  const line = `Redriven: ${redriven}. Kept, because the stage would reject them again: ${left}.`;
  return {
    json: { redriven, left, ...(hasMore && { hasMore }) },
    lines: hasMore ? [line, MORE_LETTERS] : [line],
  };
};
