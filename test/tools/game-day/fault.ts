import type { GameStage } from './stage.ts';

/** A fault that the stage has now. */
export interface StartedFault {
  /** The section of `docs/runbook.md` that mends it. The game names it at its end. */
  readonly section: string;
  /** The merchant's report, line by line. */
  readonly report: readonly string[];
  /** Where the stage is, line by line, if it is not the local one of the game. */
  readonly surroundings?: readonly string[];
  /**
   * Checks whether the player has mended it.
   *
   * @throws OperatorError if it can no longer be mended
   */
  readonly isMended: () => Promise<boolean>;
  /** Mends it as the runbook says. */
  readonly mend: () => Promise<unknown>;
}

/** Starts a fault from outside: by requests and by commands. */
export type Fault = (stage: GameStage, cleanUp: AsyncDisposableStack) => Promise<StartedFault>;
