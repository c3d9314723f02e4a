import type { Clock } from '../../../lib/core/clock.ts';
import type { Pauses } from '../../../lib/core/retry.ts';
import type { ResolveHost } from '../../../lib/endpoints/address/resolve-host.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { Line, Streams } from '../../terminal/terminal.ts';
import type { Repositories } from '../target/repositories.ts';
import type { Stage } from '../target/stage.ts';

/** The streams and the clock of a command. */
export interface Host extends Streams {
  readonly now: Clock;
  /** Waits. Default: a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** Resolves a host name. Default: by the DNS. */
  readonly resolve?: ResolveHost;
  /** Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP, which then does not end the process. */
  readonly stopSignal: () => AbortSignal;
}

/** The part of a {@link Context} that needs no stage. */
export interface HostContext extends Host {
  readonly pauses: Pauses;
  /** Prints a line on standard error. */
  readonly say: (line: Line) => void;
  /** Prints a part of the result: one line of JSON, or lines for a person. */
  readonly print: (json: object, lines: readonly Line[]) => Promise<void>;
}

/** Ids, counts and limits. Never a secret, a free text or personal data. */
export type AuditFields = Readonly<Partial<Record<string, string | number | readonly string[] | undefined>>>;

/** The surroundings of a command: the terminal, the clock, and the stage with its repositories. */
export interface Context extends HostContext {
  readonly stage: Stage;
  readonly repositories: Repositories;
  /**
   * Asks before a change of live mode. A command whose mode is not known in advance asks too.
   *
   * @param action the beginning of the question, such as "Revoking the live key 06292f8a"
   * @param expected the text that confirms. Default: yes
   */
  readonly confirm: (action: string, mode: Mode, expected?: string) => Promise<void>;
  /**
   * Makes a change, and records it: see `recordChange`.
   *
   * @param ids the items that it changes
   * @param resultOf ids and counts that are known only after the change
   */
  readonly change: <Made>(
    ids: AuditFields,
    make: () => Promise<Made>,
    resultOf?: (made: Made) => AuditFields,
  ) => Promise<Made>;
}
