import type { Fault } from './fault.ts';
import { badRelease } from './faults/bad-release.ts';
import { deletedCarts } from './faults/deleted-carts.ts';
import { disabledProduct } from './faults/disabled-product.ts';
import { hiddenDeadLetter } from './faults/hidden-dead-letter.ts';
import { killedStage } from './faults/killed-stage.ts';
import { paidTwice } from './faults/paid-twice.ts';
import { smallLimit } from './faults/small-limit.ts';
import { disabledEndpoint, movedReceiver } from './faults/webhooks.ts';

/** The faults by number. A name would give the player a hint. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  1: smallLimit,
  2: movedReceiver,
  3: paidTwice,
  4: disabledProduct,
  5: disabledEndpoint,
  6: killedStage,
  7: hiddenDeadLetter,
  8: deletedCarts,
  9: badRelease,
};
