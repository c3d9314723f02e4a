import type { Command as Program, Option } from 'commander';

/** Whether each option that may stand before the command takes a value. */
const LEADING: Readonly<Record<string, boolean>> = {
  '--stage': true,
  '--dynamodb': true,
  '--json': false,
  '--yes': false,
};

/** Words for the same task in other programs. Commander itself suggests only names with a similar spelling. */
const SYNONYMS = [
  'list ls get show describe find',
  'issue put create add new register',
  'revoke remove erase disable delete rm destroy',
  'rotate renew replace',
  'redrive replay retry resend',
].map((words) => words.split(' '));

/** Rejects an unknown command of a group whose task another name has. Commander rejects every other one. */
const suggestSynonyms = (group: Program, word: string): void => {
  const words = SYNONYMS.find((each) => each.includes(word)) ?? [];
  const meant = group.commands.map((command) => command.name()).filter((name) => words.includes(name));
  if (meant.length === 0) return;
  group.on('command:*', () =>
    group.error(`error: unknown command '${word}' (Did you mean ${meant.join(' or ')}?)`, {
      code: 'commander.unknownCommand',
    }),
  );
};

/**
 * Moves the options before or within the words of the command behind them: `--stage prod keys list` becomes
 * `keys list --stage prod`. `help keys issue` becomes `keys issue --help`.
 */
export const commandFirst = (program: Program, args: readonly string[]): readonly string[] => {
  const rest = [...args];
  const words: string[] = [];
  const options: string[] = [];
  let command = program;
  for (let [next] = rest; next !== undefined && command.commands.length > 0; [next] = rest) {
    const takesValue = LEADING[next.replace(/=.*/, '')];
    const named = command.commands.find((each) => each.name() === next);
    if (takesValue !== undefined) {
      options.push(...rest.splice(0, takesValue && !next.includes('=') ? 2 : 1));
    } else if (named) {
      words.push(...rest.splice(0, 1));
      command = named;
    } else if (next === 'help') {
      return [...words, ...rest.slice(1), '--help'];
    } else {
      suggestSynonyms(command, next);
      break;
    }
  }
  return command.commands.length > 0 ? [...words, ...rest] : [...words, ...options, ...rest];
};

/** The words that may follow those of a command, at its nth argument. */
const wordsOf = (command: Program, nth: number, prefix: string): readonly string[] => {
  const isGroup = command.commands.length > 0;
  const options = isGroup ? Object.keys(LEADING) : command.options.map(({ long }) => long ?? '');
  if (prefix.startsWith('-')) return [...options, '--help'];
  if (isGroup) return command.commands.map((each) => each.name());
  const argument = command.registeredArguments[nth];
  if (!argument) return options;
  return argument.argChoices ?? [];
};

/**
 * The words that may come next in a command line, in the order of the help. Empty if the shell may complete the name of a file.
 *
 * @param line the command line before the cursor, with the name of the program
 */
export const completionsOf = (program: Program, line: string): readonly string[] => {
  const words = line.split(/\s+/).slice(1);
  const prefix = words.pop() ?? '';
  let command = program;
  let operands = 0;
  let option: Option | undefined;
  for (const word of commandFirst(program, words)) {
    const named = command.commands.find((each) => each.name() === word);
    if (option) option = undefined;
    else if (named) command = named;
    else if (word.startsWith('-'))
      option = command.options.find((each) => each.long === word && each.required);
    else operands += 1;
  }
  const candidates = option ? (option.argChoices ?? []) : wordsOf(command, operands, prefix);
  return candidates.filter((word) => word.startsWith(prefix));
};
