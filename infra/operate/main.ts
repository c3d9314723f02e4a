import { Command, CommanderError } from 'commander';
import { EXIT_CODES, explain } from './failure.ts';
import { keysCommand } from './keys.ts';

const program = new Command('npm run operate --')
  .description('Operates a stage of Cart Checkout: the local one, unless told otherwise.')
  .addHelpText('after', '\nExit codes: 0 done, 1 could not be done, 2 the command line is wrong.')
  .addCommand(keysCommand());

/** Commander throws instead of exiting, so that the exit code is decided in one place. */
const throwOnExit = (command: Command): void => {
  command.exitOverride();
  command.commands.forEach(throwOnExit);
};

throwOnExit(program);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the help or the sentence already.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage;
  } else {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = EXIT_CODES.failed;
  }
}
