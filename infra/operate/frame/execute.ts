import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { ask, jsonText, OutputError, printResult, sayLines } from '../../terminal/terminal.ts';
import { checkClock } from '../target/clock-difference.ts';
import { repositoriesOf } from '../target/repositories.ts';
import { otherRelease } from '../target/stage-release.ts';
import { findStage, type Stage } from '../target/stage.ts';
import { recordChange } from './audit-log.ts';
import type { Command, Result } from './command.ts';
import type { Context, Host, HostContext } from './context.ts';
import { declaredJson } from './output.ts';
import type { Find } from './parameter.ts';

/** The values of a command line, by the names of arguments and options. */
export interface Values {
  readonly [name: string]: unknown;
  readonly stage?: string;
  readonly dynamodb?: string;
  readonly json?: true;
  readonly yes?: true;
}

/**
 * @throws OperatorError if the operator declines
 * @throws UsageError if standard input is no terminal
 */
const confirmOn =
  (host: Host, stage: Stage, yes: boolean): Context['confirm'] =>
  async (action, mode, expected = 'yes') => {
    if (mode === 'test' || yes) return;
    // Stages of two regions or accounts may have the same name.
    const what = stage.isLocal || stage.place === undefined ? action : `${action} (${stage.place})`;
    if (host.stdin.isTTY !== true) {
      throw new UsageError(`${what} needs a confirmation, but standard input is no terminal: add --yes.`);
    }
    const typed = await ask(`${what}. Type ${expected} to continue: `, host);
    if (typed.trim().toLowerCase() !== expected)
      throw new OperatorError('Not confirmed: nothing was changed.');
  };

/** Finds the values that are on the stage. */
const findValues = async (context: Context, values: Values): Promise<Values> => {
  const find = (value: unknown) => (typeof value === 'function' ? (value as Find<unknown>)(context) : value);
  const found = Object.entries(values).map(async ([name, value]) => [name, await find(value)] as const);
  return Object.fromEntries(await Promise.all(found));
};

/** Prints a result, then fails if it says so. */
const finish = async (result: Result, form: string, { print }: HostContext): Promise<void> => {
  const json = declaredJson(form, result.json);
  await print(json, result.lines ?? [jsonText(json)]).catch((error: unknown) => {
    const { ifLost } = result;
    throw ifLost !== undefined && error instanceof OutputError ? new OperatorError(ifLost) : error;
  });
  result.onPrinted?.();
  const { failure } = result;
  if (failure !== undefined) throw typeof failure === 'string' ? new OperatorError(failure) : failure;
};

/**
 * Executes a command.
 *
 * @param words the words of the command, such as `keys revoke`
 * @throws OperatorError, UsageError, or any error of AWS
 */
export const executeCommand = async (
  words: string,
  { spec, load }: Command,
  host: Host,
  values: Values,
): Promise<void> => {
  spec.check?.(values as never);
  const isJson = values.json === true;
  const base: HostContext = {
    ...host,
    pauses: { sleep: host.sleep ?? setTimeout, random: Math.random },
    say: (line) => sayLines(host.stderr, [line]),
    print: (json, lines) => printResult(host.stdout, isJson ? json : lines),
  };
  const openStage = async (): Promise<Context> => {
    const stage = await findStage(values.stage, values.dynamodb, host.now);
    if (!stage.isLocal) {
      checkClock(stage.clockAheadMs, base.say);
      const warning = otherRelease(stage);
      if (warning !== undefined) base.say(warning);
    } else if (spec.stage === 'deployed') {
      throw new OperatorError(`\`${words}\` works on a deployed stage only: select one with --stage.`);
    }
    const change: Context['change'] = (...made) => recordChange({ ...base, stage }, words, ...made);
    const confirm = confirmOn(host, stage, values.yes === true);
    return { ...base, stage, repositories: repositoriesOf(stage, host.now), confirm, change };
  };
  const context = spec.stage === 'none' ? undefined : await openStage();
  const options = context ? await findValues(context, values) : values;
  const action = await load();
  const result = await action(options, (context ?? base) as never);
  if (result) await finish(result, spec.json, base);
};
