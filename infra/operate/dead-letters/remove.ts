import { OperatorError } from '../../operator-error.ts';
import type { Action } from '../command.ts';
import type { DEAD_LETTERS } from './commands.ts';
import { MORE_LETTERS } from './dead-letter-queue.ts';
import { forEachLetter } from './letters.ts';

export const run: Action<typeof DEAD_LETTERS.remove> = async ({ id: messageId }, context) => {
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
