import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { listen as bind } from '../../../infra/local/gateway/listen.ts';
import type { StoreEvent } from '../../../lib/events/store-event.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { operate } from '../../support/operate.ts';
import { run, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage } from '../../support/stage.ts';

afterAll(stopProcesses);

// A kill needs a process of its own.
test('a killed listener continues on a real stage: it loses no event, and repeats at most the one in flight', async () => {
  const stage = await givenStage();
  const apiKey = await stage.givenKey();
  const pay = async (): Promise<string> => {
    const cartId = cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey }));
    const flags = ['--cart', cartId, '--result', 'succeeded', '--event-id', randomUUID()];
    const paid = await operate(['payments', 'send', ...flags, '--dynamodb', stage.dynamodbEndpoint]);
    expect(paid).toMatchObject({ exitCode: 0, stderr: '' });
    return cartId;
  };

  const received: string[] = [];
  let holdsResponses = false;
  const held = Promise.withResolvers<void>();
  const complete = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push((JSON.parse(body) as StoreEvent).data.id);
      if (holdsResponses && received.length === 2) return held.resolve();
      if (received.length === 4) response.once('close', complete.resolve);
      return response.end();
    });
  });
  const port = await bind(receiver, '127.0.0.1', 0);
  const file = join(mkdtempSync(join(tmpdir(), 'listen-')), 'state.json');
  const flags = [
    '--base-url',
    stage.baseUrl,
    '--forward-to',
    `http://127.0.0.1:${port}/`,
    '--state-file',
    file,
  ];
  const startListener = () =>
    run('infra/operate/main.ts', ['listen', ...flags], { CART_CHECKOUT_API_KEY: apiKey });

  const cartIds = [await pay(), await pay(), await pay()];
  holdsResponses = true;
  const killed = startListener();
  await held.promise;
  killed.child.kill('SIGKILL');
  await killed.ended;
  holdsResponses = false;
  const second = startListener();
  await complete.promise;
  second.child.kill('SIGINT');

  expect(await second.ended).toMatchObject({ exitCode: 0, stderr: '' });
  const [first, middle, last] = cartIds;
  expect(received).toStrictEqual([first, middle, middle, last]);
  receiver.closeAllConnections();
  receiver.close();
  await once(receiver, 'close');
});
