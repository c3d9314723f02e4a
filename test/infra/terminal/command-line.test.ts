import { Command } from 'commander';
import { expect, it } from 'vitest';
import { execute } from '../../../infra/terminal/command-line.ts';
import { runInProcess } from '../../support/operators/operate.ts';

it('a usage error of another copy of Commander is one sentence, too', async () => {
  const foreign = Object.assign(new Error('error: unknown option'), {
    name: 'CommanderError',
    code: 'commander.unknownOption',
    exitCode: 1,
  });
  const program = new Command().action(() => {
    throw foreign;
  });
  const ended = await runInProcess((streams) => execute(program, streams, []));
  expect(ended).toStrictEqual({ exitCode: 2, stdout: '', stderr: 'error: unknown option\n' });
});
