import type { Command as Program } from 'commander';

/** Whether each option that may stand before the command takes a value. */
export const LEADING: Readonly<Record<string, boolean>> = {
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
