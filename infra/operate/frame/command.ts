/**
 * A group's `commands.ts` declares each command: its arguments and options, and the names in its JSON and its audit record. From a
 * declaration, `program.ts` makes the help and parses the command line with Commander, and `execute.ts` opens the stage, finds
 * the values that are on it, calls the command's function and prints the result. This function is an `Action`: it gets the values
 * by the names of the arguments and options, and returns a `Result`.
 */

import type { Line } from '../../terminal/terminal.ts';
import type { Context, HostContext } from './context.ts';
import { type Parameters, type ValuesOf, wordOf } from './parameter.ts';

/** The read units of a scan in a second: a third of what one partition of a table serves, so that requests keep theirs. */
export const SCAN_UNITS_PER_SECOND = 1_000;

/** The declaration of a command. Help, confirmations, audit records and the reference follow from it. */
export interface CommandSpec {
  readonly summary: string;
  readonly arguments?: Parameters;
  readonly options?: Parameters;
  /** A command line, without `npm run operate --`. */
  readonly example: string;
  readonly notes?: string;
  /**
   * The names in the line of `--json`, separated by spaces. The names in the objects of a list are in parentheses. A name
   * with a question mark may be absent.
   */
  readonly json: string;
  /**
   * `none`: it works on no stage. `deployed`: it works on a deployed stage only. Default: it works on any stage.
   */
  readonly stage?: 'none' | 'deployed';
  /** Whether it reads whole tables that may be large. */
  readonly scans?: true;
  /** Whether it may change live mode. It then asks first, and knows `--yes`. */
  readonly asks?: true;
  /** The names in its audit record, separated by spaces. Only a command that changes a stage has one. */
  readonly audits?: string;
  /** The second argument of {@link define}. */
  readonly check?: (options: never) => void;
}

/** The values of a command's arguments and options. */
export type OptionsOf<Spec extends CommandSpec> = ValuesOf<Spec['arguments']> &
  ValuesOf<Spec['options']> &
  (Spec['asks'] extends true ? { readonly yes: boolean } : unknown);

type ContextOf<Spec extends CommandSpec> = Spec['stage'] extends 'none' ? HostContext : Context;

/** The result of a command. */
export interface Result {
  /** An object with the declared names. It may have other fields, and times in milliseconds: see `declaredJson`. */
  readonly json: object;
  /** The result for a person. Default: the JSON. */
  readonly lines?: readonly Line[];
  readonly onPrinted?: () => void;
  /** Why the command fails nevertheless: a sentence, or an error. */
  readonly failure?: string | Error | undefined;
  /** The sentence if standard output rejects the result, for one that cannot be shown again. */
  readonly ifLost?: string;
}

/** The function of a command. It returns its result, unless it has printed it. */
export type Action<Spec extends CommandSpec> = (
  options: OptionsOf<Spec>,
  context: ContextOf<Spec>,
) => Promise<Result | void>;

/**
 * Declares a command.
 *
 * @param check rejects options with a UsageError, before the stage is opened
 */
export const define = <const Spec extends CommandSpec>(
  spec: Spec,
  check?: (options: OptionsOf<Spec>) => void,
): Spec => ({ ...spec, ...(check && { check }) });

/** A declared command, and how to load its function. */
export interface Command {
  readonly spec: CommandSpec;
  readonly load: () => Promise<Action<CommandSpec>>;
}

/** Connects a declaration with its function, for a command without a group. */
export const commandOf = <Spec extends CommandSpec>(
  spec: Spec,
  load: () => Promise<Action<Spec>>,
): Command => ({ spec, load: load as Command['load'] });

/** Commands with the same first word. */
export interface Group {
  /** The help adds the names of the commands. */
  readonly subject: string;
  /** The commands by their last word, such as `set-limit`. */
  readonly commands: Readonly<Record<string, Command>>;
}

/** Connects the declarations of a group with a module, which exports their functions under the same names. */
export const groupOf = <Specs extends Readonly<Record<string, CommandSpec>>>(
  subject: string,
  specs: Specs,
  load: () => Promise<{ readonly [Name in keyof Specs]: Action<Specs[Name]> }>,
): Group => ({
  subject,
  commands: Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      wordOf(name),
      commandOf(spec, async () => (await load())[name] as Action<CommandSpec>),
    ]),
  ),
});
