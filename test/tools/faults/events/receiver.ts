// A merchant's server as a process of its own. It appends each delivery to a file before it responds.
import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { NO_RECEIVER_FAULT, type Received, type ReceiverFault } from './received.ts';

const [, , file = '', port = '0'] = process.argv;
const log = openSync(file, 'a');
let fault: ReceiverFault = NO_RECEIVER_FAULT;

const server = createServer((request, response) => {
  const receive = async (): Promise<void> => {
    const body = await text(request);
    const { delayMs, failedShare } = fault;
    if (delayMs > 0) await setTimeout(delayMs);
    const status = Math.random() < failedShare ? 500 : 204;
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request.headers;
    const received: Received = {
      endpoint: (request.url ?? '').slice(1),
      headers: {
        'webhook-id': String(id),
        'webhook-timestamp': String(timestamp),
        'webhook-signature': String(signature),
      },
      body,
      status,
      atMs: Date.now(),
    };
    writeSync(log, `${JSON.stringify(received)}\n`);
    response.writeHead(status).end();
  };
  receive().catch(() => response.destroy());
});

process.on('message', (next: ReceiverFault) => {
  fault = next;
  process.send?.('set');
});
process.once('disconnect', () => process.exit());
process.stdout.write(`${await listen(server, '127.0.0.1', Number(port))}\n`);
