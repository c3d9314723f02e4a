import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { LISTEN_USER_AGENT } from '../../../../infra/local-access/listen-user-agent.ts';
import { listen as bind } from '../../../../infra/local/gateway/listen.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { operate } from '../../../support/operators/operate.ts';
import type { Ended } from '../../../support/programs/processes.ts';

/** A response of the feed or the receiver. */
interface Response {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Respond = (request: IncomingMessage, body: string) => Response;

const KEY = generateApiKey('test');
const HOST = '127.0.0.1';
const EVENTS_AT = '2026-01-15T12:30:00Z';

const startServer = async (respond: Respond) => {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      const { status = 200, headers = {}, body: sent = {} } = respond(request, body);
      response.writeHead(status, headers);
      return response.end(JSON.stringify(sent));
    });
  });
  const baseUrl = `http://${HOST}:${await bind(server, HOST, 0)}`;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { baseUrl, close };
};

const event = (id: string, type = 'cart.completed') => ({
  id,
  type,
  timestamp: EVENTS_AT,
  data: {},
});

const page = (ids: readonly string[], cursor: string, hasMore = false): Response => ({
  body: { events: ids.map((id) => event(id)), cursor, hasMore },
});

let feed: Awaited<ReturnType<typeof startServer>>;
let receiver: Awaited<ReturnType<typeof startServer>>;
/** The responses of the feed, in turn. After the last one, the command is stopped. */
let pages: Response[];
/** The responses of the receiver, in turn, then 200. */
let receipts: Response[];
let asked: string[];
let callers: string[];
let received: Received[];
let slept: number[];
let stop: AbortController;
let file: string;

beforeAll(async () => {
  feed = await startServer(({ url = '', headers }) => {
    asked.push(new URL(url, 'http://feed').searchParams.get('after') ?? '');
    callers.push(`${headers['user-agent']} ${headers.authorization}`);
    const next = pages.shift();
    if (!next) stop.abort();
    return next ?? page([], asked.at(-1) ?? '');
  });
  receiver = await startServer(({ headers }, body) => {
    received.push({ headers: headers as Record<string, string>, body });
    return receipts.shift() ?? {};
  });
  return () => Promise.all([feed.close(), receiver.close()]);
});

beforeEach(() => {
  [pages, receipts, asked, callers, received, slept] = [[], [], [], [], [], []];
  stop = new AbortController();
  file = join(mkdtempSync(join(tmpdir(), 'listen-')), 'state.json');
  // Pasted with its line end.
  vi.stubEnv('CART_CHECKOUT_API_KEY', `${KEY}\r\n`);
});

afterEach(() => void vi.unstubAllEnvs());

const listen = (...flags: readonly string[]): Promise<Ended> =>
  operate(
    [
      'listen',
      ...(flags.includes('--base-url') ? [] : ['--base-url', feed.baseUrl]),
      ...(flags.includes('--forward-to') ? [] : ['--forward-to', `${receiver.baseUrl}/hook`]),
      '--state-file',
      file,
      ...(flags.includes('--resume') ? [] : ['--since', EVENTS_AT]),
      ...flags,
    ],
    { stop: stop.signal, sleep: async (ms) => void slept.push(ms) },
  );

const idsReceived = (): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

const stored = (): Record<string, string> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

test('forwards each event in order, with signatures that the printed secret verifies', async () => {
  pages = [page(['evt_1', 'evt_2'], 'c1', true), page(['evt_3'], 'c2')];

  const { exitCode, stdout, stderr } = await listen();

  expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
  expect(asked).toStrictEqual(['', 'c1', 'c2']);
  expect(callers).toStrictEqual(Array.from({ length: 3 }, () => `${LISTEN_USER_AGENT} Bearer ${KEY}`));
  expect(idsReceived()).toStrictEqual(['evt_1', 'evt_2', 'evt_3']);
  const secret = /^Secret +(whsec_\S+)$/m.exec(stdout)?.[1] ?? '';
  for (const { headers, body } of received) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: headers['webhook-id'] });
  }
});

test('a second start has the same secret, and with --resume continues where the first one stopped', async () => {
  pages = [page(['evt_1'], 'c1')];
  await listen();
  const { secret } = stored();
  stop = new AbortController();
  pages = [page(['evt_2'], 'c2')];

  const { stdout } = await listen('--resume');

  expect(asked.at(-2)).toBe('c1');
  expect(idsReceived()).toStrictEqual(['evt_1', 'evt_2']);
  expect(stdout).toContain(secret);
  expect(stored()).toMatchObject({ secret, cursor: 'c2' });
});

test('a start in the middle of a page repeats no forwarded event', async () => {
  pages = [page([], 'c1')];
  await listen();
  writeFileSync(file, JSON.stringify({ ...stored(), lastEventId: 'evt_2' }));
  stop = new AbortController();
  pages = [page(['evt_1', 'evt_2', 'evt_3'], 'c2')];
  await listen('--resume');

  expect(idsReceived()).toStrictEqual(['evt_3']);
});

test('repeats an event until the receiver accepts it, each time with the same id, and forwards none before it', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  pages = [page(['evt_1', 'evt_2'], 'c1')];
  receipts = [{ status: 500 }, { status: 302, headers: { location: '/elsewhere' } }, { status: 410 }, {}];

  const { stdout } = await listen();

  expect(idsReceived()).toStrictEqual(['evt_1', 'evt_1', 'evt_1', 'evt_1', 'evt_2']);
  expect(slept.slice(0, 3)).toStrictEqual([500, 1_000, 2_000]);
  expect(stdout).toMatch(/evt_1 {2}POST 500 {2}\d+ ms, retrying: \{\}\n/);
});

test('stores no progress behind an event that was not accepted', async () => {
  pages = [page(['evt_1', 'evt_2'], 'c1')];
  receipts = [{}, ...Array.from({ length: 3 }, () => ({ status: 500 }))];
  const sleep = async (): Promise<void> => {
    if (received.length === 4) stop.abort();
  };
  const args = ['listen', '--base-url', feed.baseUrl, '--forward-to', receiver.baseUrl, '--since', EVENTS_AT];

  expect(await operate([...args, '--state-file', file], { stop: stop.signal, sleep })).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(stored()).toMatchObject({ lastEventId: 'evt_1' });
  expect(stored()).not.toHaveProperty('cursor');
});

test('forwards only the wanted types', async () => {
  const events = [event('evt_1'), event('evt_2', 'cart.abandoned')];
  pages = [{ body: { events, cursor: 'c1', hasMore: false } }];
  await listen('--events', 'cart.abandoned');

  expect(idsReceived()).toStrictEqual(['evt_2']);
});

test('forwards only the events that are recorded from now on', async () => {
  pages = [page(['evt_1'], 'c1', true), page(['evt_2'], 'c2'), page(['evt_3'], 'c3')];
  const args = ['--base-url', feed.baseUrl, '--forward-to', receiver.baseUrl, '--state-file', file];

  const { stdout } = await operate(['listen', ...args], { stop: stop.signal });

  expect(idsReceived()).toStrictEqual(['evt_3']);
  expect(stdout).toContain('from now on');
});

test('--since leaves out earlier events', async () => {
  const events = [{ ...event('evt_1'), timestamp: '2026-01-15T12:29:59Z' }, event('evt_2')];
  pages = [{ body: { events, cursor: 'c1', hasMore: false } }];
  await listen();

  expect(idsReceived()).toStrictEqual(['evt_2']);
});

test('without a key, a stage on this machine gets the key of the first demo store', async () => {
  vi.stubEnv('CART_CHECKOUT_API_KEY', undefined);
  pages = [page(['evt_1'], 'c1')];
  await listen();

  expect(callers[0]).toContain(`Bearer ${DEMO_STORES[0]?.apiKey}`);
});

test('waits about two seconds for new events, and not at all if there are more', async () => {
  pages = [page(['evt_1'], 'c1', true), page([], 'c1', true), page(['evt_2'], 'c2')];
  await listen();

  expect(slept).toHaveLength(2);
  for (const ms of slept) expect(Math.abs(ms - 2_000)).toBeLessThanOrEqual(200);
});

test('obeys Retry-After for at most an hour', async () => {
  const limited = (seconds: string) => ({ status: 429, headers: { 'Retry-After': seconds } });
  pages = [limited('7'), limited('2592000'), page(['evt_1'], 'c1')];
  await listen();

  expect(slept).toStrictEqual(expect.arrayContaining([7_000, 3_600_000]));
  expect(idsReceived()).toStrictEqual(['evt_1']);
});

test('retries after a server error or a malformed page, and reports it once', async () => {
  pages = [{ status: 503 }, { body: 'a proxy' }, { body: {} }, page(['evt_1'], 'c1')];

  const { exitCode, stderr } = await listen();

  expect(exitCode).toBe(0);
  expect(stderr.match(/cannot be read/g)).toHaveLength(1);
  expect(idsReceived()).toStrictEqual(['evt_1']);
});

test('reports a rejected position, and continues with the oldest kept event', async () => {
  pages = [page(['evt_1'], 'c1')];
  await listen();
  stop = new AbortController();
  const details = [{ path: 'query.after', message: 'Events after this cursor are no longer kept' }];
  const body = { code: 'VALIDATION_ERROR', message: 'Invalid', details };
  pages = [{ status: 422, body }, page(['evt_9'], 'c9')];

  const { stderr } = await listen('--resume');

  expect(stderr).toMatch(/stored position.*no longer kept.*Some events may be missing/);
  expect(asked.slice(-3)).toStrictEqual(['c1', '', 'c9']);
  expect(stored()).toMatchObject({ cursor: 'c9' });
});

test.each([
  [401, { code: 'INVALID_API_KEY', message: 'No' }, /rejects the request: INVALID_API_KEY: No\.\n$/],
  [404, {}, /rejects the request/],
  [422, { code: 'VALIDATION_ERROR', message: 'No' }, /rejects the request/],
  [302, {}, /rejects the request/],
])('ends if the stage responds %d, without a redirect', async (status, body, words) => {
  pages = [{ status, body, headers: { location: receiver.baseUrl } }];

  const { exitCode, stderr } = await listen();

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(words);
  expect(received).toStrictEqual([]);
});

test('only its owner can read the state, even if the file was open before', async () => {
  writeFileSync(file, JSON.stringify({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }));
  chmodSync(file, 0o644);
  pages = [page(['evt_1'], 'c1')];
  await listen();

  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('--json prints a line for the start and for each attempt', async () => {
  pages = [page(['evt_1'], 'c1')];
  receipts = [{ status: 500 }, {}];

  const { stdout } = await listen('--json');

  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { baseUrl: feed.baseUrl, secret: stored()['secret'] },
    { eventId: 'evt_1', type: 'cart.completed', method: 'POST', result: 500, accepted: false, reason: '{}' },
    { eventId: 'evt_1', result: 200, accepted: true },
  ]);
});
