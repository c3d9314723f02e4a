import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFirstClient } from '../../../../infra/local/database/local-tables.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';

test('the first calls wait for a database that is slow at first', async () => {
  const server = createServer();
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const client = createFirstClient(`http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tables = client.send(new ListTablesCommand());
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  vi.advanceTimersByTime(29_000);
  response.end('{"TableNames":["carts"]}');
  expect((await tables).TableNames).toStrictEqual(['carts']);
});
