import { Argument, Command as Program, Help, InvalidArgumentError, Option } from 'commander';
import { IS_PACKAGE } from '../core/project.ts';
import { execute, EXIT_CODES, type ExitCode } from '../terminal/command-line.ts';
import { printResult } from '../terminal/terminal.ts';
import { typedCommand, COMMANDS_FOR_EVERYONE } from '../terminal/typed-command.ts';
import { COMMAND_TREE, COMMANDS } from './commands.ts';
import { nextWords } from './completion/next-words.ts';
import { commandFirst } from './frame/command-first.ts';
import { type Command, type CommandSpec, type Group, SCAN_UNITS_PER_SECOND } from './frame/command.ts';
import type { Host } from './frame/context.ts';
import type { Values } from './frame/execute.ts';
import { flag, optional, type Parameter, wordOf } from './frame/parameter.ts';
import { HTTP_URL, STAGE_NAME } from './frame/value-types.ts';

const HELP = `
Examples:
  ${typedCommand('keys issue --store shop')}
  ${typedCommand('keys rotate --help')}

AWS_PROFILE and AWS_REGION select the account and the region of a deployed stage.
In a script, use --json with every command${IS_PACKAGE ? '' : ", and `npm run --silent` to suppress npm's own lines"}.
Exit codes: ${Object.entries(EXIT_CODES)
  .map(([exitCode, meaning]) => `${exitCode} ${meaning}`)
  .join('; ')}.`;

const YES = { yes: flag('change live mode without asking') };

const STAGE_OPTIONS = {
  stage: optional(
    STAGE_NAME,
    'a deployed stage in the account and region of AWS_PROFILE and AWS_REGION; default: the running local stage',
  ),
  dynamodb: optional(HTTP_URL, 'the DynamoDB of a local stage that does not run on the default data'),
};

const JSON_OPTION = { json: flag('print one line of JSON') };

/** An option on the command line: `expiresIn` is `--expires-in <duration>`. */
export const optionTerm = (name: string, { type }: Parameter<unknown>): string =>
  type ? `--${wordOf(name)} <${type.placeholder}>` : `--${wordOf(name)}`;

/** An argument on the command line: `<id>`, or `[id...]` for several. */
export const argumentTerm = ({ type, isVariadic }: Parameter<unknown>): string =>
  isVariadic ? `[${type?.placeholder}...]` : `<${type?.placeholder}>`;

const typed = <Target extends Argument | Option>(
  target: Target,
  { type, isVariadic, default: typedDefault }: Parameter<unknown>,
  { now }: Host,
): Target => {
  if (!type) return target;
  if (type.choices) target.choices(type.choices);
  else
    target.argParser((text, before: unknown) => {
      const value = type.parse(text, now());
      return isVariadic ? [before ?? [], value].flat() : value;
    });
  const { parseArg } = target;
  let isGiven = false;
  target.parseArg = <Value>(text: string, before: Value): Value => {
    if (isGiven && !isVariadic) throw new InvalidArgumentError('It is given twice.');
    isGiven = true;
    return parseArg?.call(target, text, before as never) as Value;
  };
  if (typedDefault !== undefined) target.default(type.parse(typedDefault, now()), typedDefault);
  return target;
};

const argumentOf = (parameter: Parameter<unknown>, host: Host): Argument =>
  typed(new Argument(argumentTerm(parameter), parameter.text), parameter, host);

const optionOf = (name: string, parameter: Parameter<unknown>, host: Host): Option =>
  typed(new Option(optionTerm(name, parameter), parameter.text), parameter, host).makeOptionMandatory(
    parameter.isRequired === true,
  );

const SCAN_NOTE = `\
It reads whole tables, at most ${SCAN_UNITS_PER_SECOND} read units a second: DynamoDB charges for every item. It states the cost first.`;

/** The notes of a command, of its scans, and of the types of its options. */
export const notesOf = ({ options = {}, notes, scans }: CommandSpec): readonly string[] => [
  ...(notes === undefined ? [] : [notes]),
  ...(scans ? [SCAN_NOTE] : []),
  ...new Set(Object.values(options).flatMap(({ type }) => type?.note ?? [])),
];

const helpOf = (spec: CommandSpec): string =>
  [`\nExample:\n  ${typedCommand(spec.example)}`, ...notesOf(spec), `JSON: ${spec.json}`].join('\n\n');

/** Lines for the width of the terminal. Commander wraps only its own texts. */
const wrapped = (text: string, { stdout: { columns } }: Host): string =>
  columns === undefined ? text : new Help().boxWrap(text, columns);

const programOf = (words: string, command: Command, host: Host): Program => {
  const { summary, arguments: args = {}, options = {}, stage, asks } = command.spec;
  const own = { ...options, ...(asks && YES) };
  const common = { ...JSON_OPTION, ...(stage !== 'none' && STAGE_OPTIONS) };
  const program = new Program(words.split(' ').at(-1))
    .description(summary)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', () => wrapped(helpOf(command.spec), host));
  for (const parameter of Object.values(args)) program.addArgument(argumentOf(parameter, host));
  for (const [name, parameter] of Object.entries(own)) {
    program.addOption(optionOf(name, parameter, host));
    // Help would show the default of an option.
    if (!parameter.type) program.setOptionValue(name, false);
  }
  for (const [name, parameter] of Object.entries(common)) {
    const option = optionOf(name, parameter, host).helpGroup('Common options:');
    program.addOption(name === 'stage' ? option.conflicts('dynamodb') : option);
  }
  return program.action(async (...given: readonly unknown[]) => {
    const { executeCommand } = await import('./frame/execute.ts');
    const named = Object.keys(args).map((name, index) => [name, given[index]]);
    const values = { ...Object.fromEntries(named), ...program.opts() } as Values;
    await executeCommand(words, command, host, values);
  });
};

/** The program of a group. It has the commands only if the arguments name the group: those of all groups take 0.8 ms more. */
const groupProgram = (
  name: string,
  { subject, commands }: Group,
  host: Host,
  args: readonly string[],
): Program => {
  const examples = Object.values(commands).map(({ spec }) => `\n  ${typedCommand(spec.example)}`);
  const program = new Program(name)
    .description(`${subject}: ${Object.keys(commands).join(', ')}`)
    .addHelpText('after', `\nExamples:${examples.join('')}`);
  if (!args.includes(name)) return program;
  for (const [word, command] of Object.entries(commands))
    program.addCommand(programOf(`${name} ${word}`, command, host));
  return program;
};

/**
 * The operators' command line.
 *
 * @param version the text of `--version`
 * @param args the arguments that it will parse. By default, the program has the commands of all groups
 */
export const createProgram = (
  host: Host,
  version = '',
  args: readonly string[] = Object.keys(COMMAND_TREE),
): Program => {
  const program = new Program(typedCommand(''))
    .version(version, '--version', 'show the version and the commit')
    .description('Operates a stage of Cart Checkout: the local stage, or a deployed one with --stage.')
    .addHelpText('after', HELP);
  for (const [name, entry] of Object.entries(COMMAND_TREE)) {
    // The package has them beside `operate`.
    if (IS_PACKAGE && COMMANDS_FOR_EVERYONE.includes(name)) continue;
    program.addCommand(
      'spec' in entry ? programOf(name, entry, host) : groupProgram(name, entry, host, args),
    );
  }
  return program;
};

/** The commands that the package has for everyone. */
export const programsForEveryone = (host: Host): readonly Program[] =>
  COMMANDS_FOR_EVERYONE.flatMap((name) => {
    const command = COMMANDS[name];
    return command ? [programOf(name, command, host)] : [];
  });

const versionText = async (): Promise<string> => {
  const { version, commit } = (await import('../stage/release.ts')).currentRelease();
  return `${version} (commit ${commit})`;
};

/**
 * Runs the operators' command line to its end.
 *
 * @param args the arguments without the names of Node and the program
 * @param create creates another program that has such commands
 */
export const operate = async (
  args: readonly string[],
  host: Host,
  create: typeof createProgram = createProgram,
): Promise<ExitCode> => {
  const { COMP_LINE: line, COMP_POINT: point = line?.length } = process.env;
  // A shell completes a command line by the script of `completion/completion.ts`.
  if (args[0] === 'completion' && line !== undefined) {
    await printResult(host.stdout, nextWords(create(host), line.slice(0, Number(point))));
    return 0;
  }
  const program = create(host, args.includes('--version') ? await versionText() : '', args);
  return execute(program, host, commandFirst(program, args), args.includes('--json'));
};
