import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startProgram, stopShops } from '../support/examples/programs.ts';
import { givenDeadAddress } from '../support/http/addresses.ts';
import type { ReadyLine } from '../support/programs/processes.ts';
import { userEnvironment } from './support/environment.ts';
import { stepsIn } from './support/page.ts';

afterAll(stopShops);

// One test of many processes: it proves that the commands of the page work together, as a reader pastes them.
test('the walk of docs/payments.md leads from a live cart to a signed cart.completed, and to a cart.refunded', async () => {
  const walk = stepsIn(readFileSync('docs/payments.md', 'utf8')).find(
    ({ title }) => title === 'Try it on one machine',
  );
  const [start = '', adapter = '', ...merchant] = walk?.blocks.map(({ commands }) => commands) ?? [];
  const [payHost, hookHost] = await Promise.all([givenDeadAddress(), givenDeadAddress()]);
  const run = (commands: string, env: Readonly<Record<string, string>> = {}) =>
    startProgram(
      'bash',
      [
        '-ec',
        commands.replaceAll('http://127.0.0.1:4000', payHost).replaceAll('http://127.0.0.1:8080', hookHost),
      ],
      { ...userEnvironment(), ...env },
    );

  // Another stage of this machine may have the usual ports and data.
  const own = '--json --port 0 --no-receiver --data memory';
  expect(start).toContain('npm ci && npm start -- ');
  const stage = run(start.replace('npm ci && npm start --', `npm --silent start -- ${own}`));
  const isReady = /^\{"baseUrl".*\}$/m;
  const [ready = ''] = isReady.exec(await stage.written(isReady)) ?? [];
  const { baseUrl, dynamodbEndpoint } = JSON.parse(ready) as ReadyLine;
  const onStage = (commands: string): string =>
    commands
      .replaceAll('http://127.0.0.1:3000', baseUrl)
      .replaceAll('--yes', `--yes --dynamodb ${dynamodbEndpoint}`)
      .replaceAll('.local/inbox', mkdtempSync(join(tmpdir(), 'payments-walk-')));
  const settings = (address: string) => ({
    BASE_URL: baseUrl,
    PORT: new URL(address).port,
    OPERATE_FLAGS: `--dynamodb ${dynamodbEndpoint}`,
  });

  await run(adapter, settings(payHost)).written(/payment page is at/);
  const output = await run(onStage(merchant.join('\n')), settings(hookHost)).written(
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
