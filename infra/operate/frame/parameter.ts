import type { Context } from './context.ts';

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

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

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

/** The values of declared parameters, by their names. */
export type ValuesOf<Declared> = Declared extends Parameters
  ? { readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never }
  : unknown;

/** The word of a name on the command line: `expiresIn` is `expires-in`. */
export const wordOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
