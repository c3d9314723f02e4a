import { Command } from 'commander';
import { localStageProgram } from '../../local/program.ts';
import type { Host } from '../../operate/frame/context.ts';
import { createProgram, programsForEveryone } from '../../operate/program.ts';
import { typedCommand, PACKAGE_COMMAND } from '../../terminal/typed-command.ts';

const HELP = `
Examples:
  ${typedCommand('start')}
  ${typedCommand('listen --forward-to http://127.0.0.1:8080/hook')}
  ${typedCommand('keys list')}`;

/**
 * The command line of the package, for its help and completion. `command.ts` runs `start` and `operate` directly.
 *
 * @param version the text of `--version`
 */
export const createPackageProgram = (host: Host, version = ''): Command => {
  const [listen, ...others] = programsForEveryone(host);
  const program = new Command(PACKAGE_COMMAND)
    .version(version, '--version', 'show the version and the commit')
    .description('Runs Cart Checkout on this machine, forwards its webhooks, and operates its stages.')
    .addHelpText('after', HELP);
  const commands = [
    localStageProgram().name('start'),
    listen,
    createProgram(host).name('operate').summary('operate a stage, local or deployed'),
    ...others,
  ];
  for (const command of commands) if (command) program.addCommand(command);
  return program;
};
