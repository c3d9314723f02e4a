import { IS_PACKAGE } from '../../core/project.ts';
import { typedCommand } from '../../terminal/typed-command.ts';
import { define } from '../frame/command.ts';
import { required } from '../frame/parameter.ts';
import { choice } from '../frame/value-types.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NAME = IS_PACKAGE ? 'cart-checkout' : 'operate';

const BASH = typedCommand('completion bash').replace('npm run', 'npm run --silent');

export const COMPLETION = define({
  summary: `print a script that adds the command \`${NAME}\` to a shell, with completion`,
  arguments: { shell: required(choice('shell', SHELLS), 'the shell') },
  stage: 'none',
  json: 'script',
  example: 'completion bash',
  notes: `\
In bash: \`source <(${BASH})\`, here or in ~/.bashrc. The same in zsh. In fish:
\`${BASH.replace('bash', 'fish')} | source\`. Then \`${IS_PACKAGE ? NAME : `${NAME} keys list`}\` works in each folder, and the Tab key completes
commands, options and fixed values.`,
});
