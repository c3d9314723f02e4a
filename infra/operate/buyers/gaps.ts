import { UnreadableItemError } from '../../../lib/core/unreadable-item.ts';
import { ifAny } from '../output.ts';

/** The items that this release cannot read, such as `cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853`: there may be more of the buyer's data. */
export type Gaps = Set<string>;

/** Runs a read. If this release cannot read an item, it adds the name to the gaps, and returns `undefined`. */
export const readOrName = async <Read>(
  name: string,
  gaps: Gaps,
  read: () => Promise<Read>,
): Promise<Read | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    gaps.add(name);
    return undefined;
  }
};

/** The gaps in the JSON. */
export const gapsJson = (gaps: Gaps) => ifAny('unreadable', [...gaps]);

/**
 * The sentences about gaps. `undefined` without a gap.
 *
 * @param what the incomplete result, such as `export`
 */
export const describeGaps = (what: string, gaps: Gaps): string | undefined =>
  gaps.size === 0
    ? undefined
    : `The ${what} is incomplete. This release cannot read ${[...gaps].join(', ')}.`;
