import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../infra/local/gateway/listen.ts';
import { startProgram, stopShops } from '../support/examples/programs.ts';
import { givenDeadAddress } from '../support/http/addresses.ts';
import { operate } from '../support/operators/operate.ts';
import { startService, stopProcesses } from '../support/programs/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'payments-walk-'));

afterAll(async () => {
  stopShops();
  await stopProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** The shell commands of a section, one entry for each block. */
const blocksOf = (document: string, section: string): string[] => {
  const [, after = ''] = readFileSync(document, 'utf8').split(`\n## ${section}\n`);
  const [own = ''] = after.split('\n## ', 1);
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
};

/** Serves `npm run operate` in this process, which takes a tenth of the time. A request has one argument on each line. */
const givenOperate = async (dynamodbEndpoint: string): Promise<string> => {
  const respond = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const args = (await text(request)).trimEnd().split('\n');
    const { exitCode, stdout, stderr } = await operate([...args, '--dynamodb', dynamodbEndpoint]);
    response.writeHead(exitCode === 0 ? 200 : 500).end(stdout + stderr);
  };
  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${port}`;
};

/** The commands `npm` and `npx` of the walk. Returns the path to find them. */
const givenCommands = (operateUrl: string): string => {
  const commands = {
    npm: `shift 4; printf '%s\\n' "$@" | curl -s --fail-with-body --data-binary @- ${operateUrl}`,
    npx: `shift; exec ${process.execPath} "$@"`,
  };
  for (const [name, command] of Object.entries(commands)) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${command}\n`);
    chmodSync(file, 0o700);
  }
  return `${folder}:${process.env['PATH']}`;
};

// One test of many processes: it proves that the commands of the page work together, as a reader pastes them.
test('the walk of docs/payments.md leads from a live cart to a signed cart.completed, and to a cart.refunded', async () => {
  const [start, adapter = '', ...merchant] = blocksOf('docs/payments.md', 'Try it on one machine');
  expect(start).toContain('npm start -- --checkout-url http://127.0.0.1:4000/pay');
  const [payHost, hookHost] = await Promise.all([givenDeadAddress(), givenDeadAddress()]);
  const stage = await startService(['--data', 'memory', '--checkout-url', `${payHost}/pay`]);
  const onStage = (commands: string): string =>
    commands
      .replaceAll('http://127.0.0.1:3000', stage.baseUrl)
      .replaceAll('http://127.0.0.1:4000', payHost)
      .replaceAll('http://127.0.0.1:8080', hookHost)
      .replaceAll('.local/inbox', join(folder, 'inbox'));
  const operateUrl = await givenOperate(stage.dynamodbEndpoint);
  const settings = { PATH: givenCommands(operateUrl), BASE_URL: stage.baseUrl };
  const run = (commands: string, address: string) =>
    startProgram('bash', ['-ec', onStage(commands)], { ...settings, PORT: new URL(address).port });

  await run(adapter, payHost).written(/payment page is at/);
  const output = await run(merchant.join('\n'), hookHost).written(
    // Webhooks come in any order.
    /^cart\.completed \S+\n(?:.*\n)*cart\.refunded \S+\n|^cart\.refunded \S+\n(?:.*\n)*cart\.completed \S+\n/m,
  );

  const [, id = ''] = /^cart\.completed (\S+)$/m.exec(output) ?? [];
  expect(JSON.parse(/\{"id":.*"returnUrls":\{[^}]*\}\}/.exec(output)?.[0] ?? '')).toMatchObject({
    id,
    mode: 'live',
    status: 'waiting_payment',
    price: { amount: 49.9, currency: 'EUR' },
  });
  expect(output).toContain(`\ncart.refunded ${id}\n`);
  expect([...output.matchAll(/^location: (\S+)/gim)].map(([, location]) => location)).toStrictEqual([
    `${payHost}/provider/${id}`,
    `${payHost}/return/${id}?outcome=succeeded`,
    `https://shop.example/thanks?cartId=${id}&status=completed`,
    `${payHost}/return/${id}?outcome=succeeded`,
  ]);
});
