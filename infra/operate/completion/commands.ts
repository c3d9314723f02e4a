import { define, required } from '../frame/command.ts';
import { choice } from '../frame/value-types.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION = define({
  summary: 'print a script that adds the command `operate` to a shell, with completion',
  arguments: { shell: required(choice('shell', SHELLS), 'the shell') },
  stage: 'none',
  json: 'script',
  example: 'completion bash',
  notes: `\
In bash: \`source <(npm run --silent operate -- completion bash)\`, here or in ~/.bashrc. The same in zsh. In fish:
\`npm run --silent operate -- completion fish | source\`. Then \`operate keys list\` works in each folder, and the Tab key completes
commands, options and fixed values.`,
});
