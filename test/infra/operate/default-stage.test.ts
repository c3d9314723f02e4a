import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectSentence } from '../../support/expect-sentence.ts';
import { type Ended, run, stopProcesses } from '../../support/processes.ts';
import { copyProject, type ProjectCopy } from '../../support/project-copy.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage } from '../../support/stage.ts';

// A copy of the program, because a developer's own stage may run in this folder.
let copy: ProjectCopy;

beforeEach(async () => {
  copy = await copyProject();
});

afterEach(async () => {
  await stopProcesses();
  await copy.remove();
});

const issueKey = (): Promise<Ended> =>
  run(join(copy.folder, 'infra/operate/main.ts'), ['keys', 'issue', '--store', 'demo-store-one', '--json'])
    .ended;

test('without --dynamodb, a command works on the local stage that runs on the default data', async () => {
  const stage = await givenStage([], join(copy.folder, 'infra/local/main.ts'));

  const { exitCode, stdout } = await issueKey();

  expect(exitCode).toBe(0);
  const { apiKey } = JSON.parse(stdout) as { apiKey: string };
  expect((await stage.createCart(cartBody(stage.productId), { apiKey })).status).toBe(201);
});

test.each<[string, () => Promise<unknown>]>([
  ['where none ever ran', async () => undefined],
  [
    'where one has ended',
    async () => (await givenStage([], join(copy.folder, 'infra/local/main.ts'))).stop(),
  ],
  [
    'where one was killed and could not tidy up',
    async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const stage = { processId: pid, baseUrl: 'http://127.0.0.1:1', dynamodbEndpoint: 'http://127.0.0.1:1' };
      mkdirSync(join(copy.folder, '.local'));
      writeFileSync(join(copy.folder, '.local/stage.json'), JSON.stringify(stage));
    },
  ],
])('without --dynamodb and a running stage, %s, one sentence tells what to do', async (_what, arrange) => {
  await arrange();

  const ended = await issueKey();

  expect(ended.exitCode).toBe(1);
  expectSentence(ended, /No local stage .*npm start.*--dynamodb/);
});
