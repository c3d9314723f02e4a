import { join } from 'node:path';
import { IS_PACKAGE, ROOT } from '../../core/project.ts';
import { shellQuoted } from '../../terminal/shell.ts';
import type { Action } from '../frame/command.ts';
import type { COMPLETION, SHELLS } from './commands.ts';

const MAIN = join(ROOT, IS_PACKAGE ? 'infra/bundle/bin.js' : 'infra/operate/main.ts');

/** The command that the script adds. */
const NAME = IS_PACKAGE ? 'cart-checkout' : 'operate';

/** Runs the command line by its Node.js, in the folder of the caller. npm would add 0.2 s to each start. */
const RUN = `${shellQuoted(process.execPath)} ${shellQuoted(MAIN)}`;

/** `complete -C` sets COMP_LINE and COMP_POINT: https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */
const BASH = [`${NAME}() { ${RUN} "$@"; }`, `complete -o default -C '${NAME} completion' ${NAME}`];

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], readonly string[]>> = {
  bash: BASH,
  zsh: ['autoload -Uz +X compinit bashcompinit', 'compinit', 'bashcompinit', ...BASH],
  fish: [
    `function ${NAME}; ${RUN} $argv; end`,
    `function __operate_words; set -lx COMP_LINE (commandline -cp); set -l words (${NAME} completion)`,
    'if set -q words[1]; string join -- \\n $words; else; __fish_complete_path (commandline -ct); end; end',
    `complete -c ${NAME} -f -a '(__operate_words)'`,
  ],
};

export const completion: Action<typeof COMPLETION> = async ({ shell }) => {
  const lines = SCRIPTS[shell];
  return { json: { script: lines.join('\n') }, lines };
};
