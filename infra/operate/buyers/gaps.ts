import { UnreadableItemError } from '../../../lib/core/unreadable-item.ts';
import { HELD_LETTERS, MORE_LETTERS } from '../dead-letters/dead-letter-queue.ts';
import { ifAny } from '../output.ts';

/** What a search or an erasure does not reach: there may be more of the buyer's data. */
export interface Gaps {
  /** Items that this release cannot read, such as `cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853`. */
  readonly unreadable: Set<string>;
  /** The queues may have more dead letters than a run reads. */
  hasMoreLetters: boolean;
  /** Another command may hold dead letters, which are then hidden from this one. */
  hasHeldLetters: boolean;
}

export const noGaps = (): Gaps => ({ unreadable: new Set(), hasMoreLetters: false, hasHeldLetters: false });

/** Runs a read. If this release cannot read an item, it adds the name to the gaps, and returns `undefined`. */
export const readOrName = async <Read>(
  name: string,
  { unreadable }: Gaps,
  read: () => Promise<Read>,
): Promise<Read | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    unreadable.add(name);
    return undefined;
  }
};

/** The gaps in the JSON. */
export const gapsJson = ({ unreadable, hasMoreLetters, hasHeldLetters }: Gaps) => ({
  ...ifAny('unreadable', [...unreadable]),
  ...((hasMoreLetters || hasHeldLetters) && { hasMoreDeadLetters: true }),
});

/**
 * The sentences about gaps. `undefined` without a gap.
 *
 * @param what the incomplete result, such as `export`
 */
export const describeGaps = (
  what: string,
  { unreadable, hasMoreLetters, hasHeldLetters }: Gaps,
): string | undefined => {
  const reasons = [
    ...(unreadable.size > 0 ? [`This release cannot read ${[...unreadable].join(', ')}.`] : []),
    ...(hasMoreLetters ? [MORE_LETTERS] : []),
    ...(hasHeldLetters ? [HELD_LETTERS] : []),
  ];
  return reasons.length === 0 ? undefined : `The ${what} is incomplete. ${reasons.join(' ')}`;
};
