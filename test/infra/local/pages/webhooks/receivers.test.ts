import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkEndpoint } from '../../../../../infra/local/checklist/endpoint-check.ts';
import { receiverCommands } from '../../../../../infra/local/pages/webhooks/receivers.ts';
import { createSender } from '../../../../../lib/deliveries/sending/send.ts';
import { generateSecret } from '../../../../../lib/endpoints/signing-secret.ts';
import { testedPrograms, startProgram, stopShops } from '../../../../support/examples/programs.ts';
import { givenDeadAddress } from '../../../../support/http/addresses.ts';

afterAll(stopShops);

const SECRET = generateSecret();

const LANGUAGES = { 'Node.js': 'node', Python: 'python', PHP: 'php' } as const;

// For PHP, the command needs Composer and its registry.
const programs = testedPrograms().filter(({ language }) => language !== 'PHP');

describe.each(programs)('the command of the receiver for $language', ({ language }) => {
  test('runs in a shell as it is, and the receiver passes the check', async () => {
    const url = `${await givenDeadAddress()}/hook`;
    const command = receiverCommands(url, SECRET, true)?.[LANGUAGES[language as keyof typeof LANGUAGES]];
    const inbox = mkdtempSync(join(tmpdir(), 'inbox-'));
    const program = startProgram('sh', ['-c', String(command)], { INBOX: inbox });
    await program.written(/Listens at/);

    const send = createSender({ allowsLoopback: true });
    const trials = await checkEndpoint({ url, mode: 'test' }, SECRET, { send, now: Date.now });
    expect(trials.map(({ name, status }) => [name, status])).toStrictEqual([
      ['valid', 204],
      ['forged', 400],
      ['old', 400],
    ]);
  });
});

test('the port is in the command if it is not the default', () => {
  const commandsAt = (url: string) => receiverCommands(url, SECRET, true);
  expect(commandsAt('http://127.0.0.1:8080/hook')?.node).not.toContain('PORT');
  expect(commandsAt('http://localhost:8089/hook')?.node).toContain('PORT=8089 ');
  expect(commandsAt('http://localhost:8089/hook')?.php).toContain('-S 127.0.0.1:8089 ');
});

test.each([
  'https://127.0.0.1:8080/hook',
  'http://shop.example:8080/hook',
  'http://127.0.0.1:8080/other',
  'http://127.0.0.1/hook',
])('no receiver of the guide listens at %s', (url) => {
  expect(receiverCommands(url, SECRET, true)).toBeUndefined();
});
