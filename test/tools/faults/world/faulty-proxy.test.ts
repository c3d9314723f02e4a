import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { type FaultyProxy, type NetworkFault, NO_FAULT, startFaultyProxy } from './faulty-proxy.ts';

const ANSWER = 'answered';

let calls = 0;
const server = createServer((_request, response) => {
  calls += 1;
  response.end(ANSWER);
});
let proxy: FaultyProxy;
let draw = 0;

beforeAll(async () => {
  proxy = await startFaultyProxy(await listen(server, '127.0.0.1', 0), () => draw);
});

afterAll(async () => {
  await proxy.close();
  server.close();
});

/** Calls the server through the proxy, on a connection of its own that both sides would keep. */
const call = async (fault: Partial<NetworkFault>, patienceMs = 10_000): Promise<string> => {
  proxy.setFault({ ...NO_FAULT, ...fault });
  const agent = new Agent({ keepAlive: true });
  const sent = request(proxy.endpoint, { agent, signal: AbortSignal.timeout(patienceMs) });
  sent.end();
  try {
    // It rejects on the event `error`.
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response) text += String(part);
    return text;
  } finally {
    agent.destroy();
  }
};

test('without a fault, an answer comes as it is', async () => {
  await expect(call({})).resolves.toBe(ANSWER);
});

test('while it refuses, nothing listens; then all is as before, at the same address', async () => {
  proxy.refuse();
  await expect(call({})).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  await proxy.accept();
  await expect(call({})).resolves.toBe(ANSWER);
});

test('a delay holds back the call by its length', async () => {
  const startedAtMs = performance.now();

  await expect(call({ delayMs: 200 })).resolves.toBe(ANSWER);
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(199);
});

test.for([
  ['in order', 0],
  ['by a reset', 0.6],
] as const)('a cut answer began and never ends, and its connection is ended %s', async ([, drawn]) => {
  draw = drawn;
  const before = calls;

  await expect(call({ cutShare: 1 })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(calls).toBe(before + 1);
});

test.for([0, 0.6])(
  'of a lost answer nothing comes, and the server has done what it was asked (%d)',
  async (drawn) => {
    draw = drawn;
    const before = calls;

    await expect(call({ lostShare: 1 })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(calls).toBe(before + 1);
  },
);

test('a silent answer never comes, on a connection that stays', async () => {
  const before = calls;

  await expect(call({ silentShare: 1 }, 300)).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls).toBe(before + 1);
});
