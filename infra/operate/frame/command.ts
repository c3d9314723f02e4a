import type { Clock } from '../../../lib/core/clock.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { Pauses } from '../../../lib/core/retry.ts';
import type { ResolveHost } from '../../../lib/endpoints/addresses.ts';
import type { Line, Streams } from '../../terminal/terminal.ts';
import type { Stage } from '../target/stage.ts';
import type { Repositories } from '../target/repositories.ts';

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

/** Finds a value on the stage. */
export type Find<Value> = (context: Context) => Promise<Value>;

/** A type of values on the command line. */
export interface ValueType<out Value> {
  /** The placeholder in the help, such as `id`. */
  readonly placeholder: string;
  readonly choices?: readonly string[];
  /** A sentence for the help of each command with this type. */
  readonly note?: string;
  /**
   * Reads a value, or how to find it on the stage.
   *
   * @throws InvalidArgumentError or UsageError if the text is malformed
   */
  readonly parse: (text: string, nowMs: number) => Value | Find<Value>;
}

/** An argument or an option. */
export interface Parameter<out Value> {
  readonly text: string;
  /** Absent for a flag. */
  readonly type?: ValueType<Value>;
  readonly isRequired?: true;
  /** Only the last argument: it takes several values, or none. */
  readonly isVariadic?: true;
  /** The default, as it is typed. */
  readonly default?: string;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export const required = <Value>(type: ValueType<Value>, text: string): Parameter<Value> => ({
  type,
  text,
  isRequired: true,
});

export const optional = <Value>(type: ValueType<Value>, text: string): Parameter<Value | undefined> => ({
  type,
  text,
});

/** The last argument, with several values. Its values need no stage. */
export const variadic = <Value>(
  { parse, ...type }: ValueType<Value>,
  text: string,
): Parameter<readonly Value[] | undefined> => ({
  type: { ...type, parse: (each, nowMs) => [parse(each, nowMs) as Value] },
  text,
  isVariadic: true,
});

export const defaulting = <Value>(type: ValueType<Value>, value: string, text: string): Parameter<Value> => ({
  type,
  text,
  default: value,
});

export const flag = (text: string): Parameter<boolean> => ({ text });

/** The rate of a scan: a third of what one partition of a table serves, so that requests keep theirs. */
export const READ_UNITS_PER_SECOND = 1_000;

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
  /** Rejects options with a UsageError, before the stage is opened. */
  readonly check?: (options: never) => void;
}

type ValuesOf<Declared> = Declared extends Parameters
  ? { readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never }
  : unknown;

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

/** Declares a command. The types of its arguments and options are those of its `check`. */
export const define = <const Spec extends Omit<CommandSpec, 'check'>, const Arguments, const Options>(
  spec: Spec & {
    readonly arguments?: Arguments;
    readonly options?: Options;
    readonly check?: (options: ValuesOf<Arguments> & ValuesOf<Options>) => void;
  },
): Spec => spec;

/** The word of a name on the command line: `expiresIn` is `expires-in`. */
export const wordOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Connects the declarations of a group with a module, which exports their functions under the same names.
 *
 * @param group the first word of the commands. Empty for commands without a group
 * @returns the commands by their words, such as `keys set-limit`
 */
export const commandsOf = <Specs extends Readonly<Record<string, CommandSpec>>>(
  group: string,
  specs: Specs,
  load: () => Promise<{ readonly [Name in keyof Specs]: Action<Specs[Name]> }>,
) =>
  Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      `${group} ${wordOf(name)}`.trim(),
      { spec, load: async () => (await load())[name] as Action<CommandSpec> },
    ]),
  );

/** A declared command, and how to load its function. */
export type Command = ReturnType<typeof commandsOf>[string];
