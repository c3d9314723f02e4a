import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { listen as bind } from '../../../../infra/local/gateway/listen.ts';
import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import { run, stopProcesses } from '../../../support/programs/processes.ts';
import { givenFeed } from '../../../support/service/feed-service.ts';

afterAll(stopProcesses);

// A kill needs a process of its own.
test('a killed listener continues: it loses no event, and repeats at most the one in flight', async () => {
  const { baseUrl, apiKey, completeCarts } = await givenFeed();
  const received: string[] = [];
  let holdsResponses = false;
  const held = Promise.withResolvers<void>();
  const complete = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push((JSON.parse(body) as CartEvent).data.id);
      if (holdsResponses && received.length === 2) return held.resolve();
      if (received.length === 4) response.once('close', complete.resolve);
      return response.end();
    });
  });
  const port = await bind(receiver, '127.0.0.1', 0);
  const file = join(mkdtempSync(join(tmpdir(), 'listen-')), 'state.json');
  const flags = ['--base-url', baseUrl, '--forward-to', `http://127.0.0.1:${port}/`, '--state-file', file];
  let start = ['--since', '2026-01-01'];
  const startListener = () =>
    run('infra/operate/main.ts', ['listen', ...flags, ...start], { CART_CHECKOUT_API_KEY: apiKey });

  const [first, middle, last] = await completeCarts(3);
  holdsResponses = true;
  const killed = startListener();
  await held.promise;
  killed.child.kill('SIGKILL');
  await killed.ended;
  holdsResponses = false;
  start = ['--resume'];
  const second = startListener();
  await complete.promise;
  second.child.kill('SIGINT');

  expect(await second.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(received).toStrictEqual([first, middle, middle, last]);
  receiver.closeAllConnections();
  receiver.close();
  await once(receiver, 'close');
});
