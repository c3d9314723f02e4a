import type { Command as Program, Option } from 'commander';
import { commandFirst, LEADING } from '../frame/command-first.ts';

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
export const nextWords = (program: Program, line: string): readonly string[] => {
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
