import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { isListening } from '../../support/addresses.ts';
import type { ReadyLine } from '../../support/processes.ts';

test('`npm start` passes a signal to the stage, and ends with it', async () => {
  const flags = ['--json', '--port', '0', '--data', 'memory'];
  const npm = spawn('npm', ['start', '--silent', '--', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void npm.kill('SIGKILL'));
  const [line] = await once(createInterface(npm.stdout), 'line');
  const { baseUrl, dynamodbEndpoint } = JSON.parse(String(line)) as ReadyLine;
  expect((await fetch(`${baseUrl}/api/v1/stores/cart/1`)).status).toBe(401);

  npm.kill('SIGTERM');
  await once(npm, 'close');

  expect(await isListening(baseUrl)).toBe(false);
  expect(await isListening(dynamodbEndpoint)).toBe(false);
});
