import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { run, stopProcesses } from '../support/programs/processes.ts';

afterAll(stopProcesses);

test.each([
  ['one signal', 1],
  ['a repeated signal', 2],
])('%s lets the clean-up finish, although the action fails meanwhile', async (_what, signals) => {
  const { child, firstLine, ended } = run('test/tools/run-tool.fixture.ts', []);
  await firstLine;
  const cleaning = once(child, 'message');
  child.kill('SIGINT');
  await cleaning;
  for (let signal = 1; signal < signals; signal += 1) child.kill('SIGINT');
  child.send('fail');
  expect(await ended).toMatchObject({ exitCode: 1, stdout: 'running\ncleaned\n' });
});

test('an action that returns `false` ends its process with 1', async () => {
  const { child, firstLine, ended } = run('test/tools/run-tool.fixture.ts', []);
  await firstLine;
  child.send('end');
  expect(await ended).toMatchObject({ exitCode: 1, stdout: 'running\ncleaned\n', stderr: '' });
});
