import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { expect, test, vi } from 'vitest';
import { readableLog, requestLine } from '../../../infra/local/readable-log.ts';
import type { LoggedRequest } from '../../../infra/local/requests/request-log.ts';
import { type Line, lineText } from '../../../infra/terminal/terminal.ts';
import { NOW_MS } from '../../support/clock.ts';

/** A line on a stream that is no terminal. */
const plain = (line: Line): string => lineText(line, new PassThrough());

/** The colours of a terminal, which `NO_COLOR` in the environment turns off. */
const terminalColorDepth = (): number =>
  WriteStream.prototype.getColorDepth({ TERM: 'xterm-256color', NO_COLOR: process.env['NO_COLOR'] });

/** A line on a terminal with colours. */
const coloured = (line: Line): string =>
  lineText(line, Object.assign(new PassThrough(), { isTTY: true, getColorDepth: terminalColorDepth }));

/** The lines of a log, as `plain` shows them. */
const readable = (log: string): string =>
  readableLog(log)
    .map((line) => `${plain(line)}\n`)
    .join('');

const NO_BODY = { text: '', bytes: 0, isWhole: true, isText: true };

const REQUEST: LoggedRequest = {
  id: 'r1',
  timeMs: NOW_MS,
  method: 'GET',
  target: '/api/v1/stores/cart/3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  headers: [],
  body: NO_BODY,
  status: 200,
  responseHeaders: [],
  responseBody: NO_BODY,
  cartId: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  sender: 'program',
  durationMs: 7,
};

test('a request is one line with its path as it was sent, and the reason of an error', () => {
  const target = '/api/v1/store/ada?a=1';
  const error = { status: 404, code: 'NOT_FOUND', reason: 'There is no such path', cartId: undefined };
  const created = { method: 'POST', target: '/api/v1/stores/cart/checkout', status: 201 };

  expect([
    plain(requestLine(REQUEST)),
    plain(requestLine({ ...REQUEST, ...created })),
    plain(requestLine({ ...REQUEST, ...error, method: 'DELETE', target })),
  ]).toStrictEqual([
    '12:30:00  200     7 ms  GET      /api/v1/stores/cart/3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
    '12:30:00  201     7 ms  POST     /api/v1/stores/cart/checkout  3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
    '12:30:00  404     7 ms  DELETE   /api/v1/store/ada?a=1  NOT_FOUND  There is no such path',
  ]);
});

test.each([
  [201, '\u001B[32m201\u001B[39m'],
  [303, '\u001B[36m303\u001B[39m'],
  [422, '\u001B[33m422\u001B[39m'],
  [503, '\u001B[31m503\u001B[39m'],
])('the status %i has its colour, unless NO_COLOR is set', (status, expected) => {
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', undefined);
  expect(coloured(requestLine({ ...REQUEST, status }))).toContain(expected);
  vi.stubEnv('NO_COLOR', '1');
  expect(coloured(requestLine({ ...REQUEST, status }))).not.toContain('\u001B');
});

/** Metrics bring the timestamp of their line. */
const METRICS = { _aws: { Timestamp: NOW_MS }, stage: 'local' };

const TIME = { timestamp: '2026-01-15T12:30:00.000Z' };

test.each<[string, object, string]>([
  ['a request, which has its own line', { requestId: 'r1', status: 200, ms: 7, ...METRICS }, ''],
  ['a metric', { _aws: {}, CartsCreated: 1 }, ''],
  [
    'an event',
    { source: 'cart-checkout', 'detail-type': 'cart.completed', detail: { ...TIME, data: { id: 'c1' } } },
    '12:30:00                event    cart.completed  c1\n',
  ],
  [
    'a delivery',
    {
      message: 'delivery',
      ...METRICS,
      type: 'cart.completed',
      outcome: 'succeeded',
      status: 204,
      ms: 9,
      endpointId: 'we_1',
    },
    '12:30:00  204     9 ms  webhook  cart.completed  succeeded  we_1\n',
  ],
  [
    'a failed delivery',
    {
      message: 'delivery',
      ...TIME,
      type: 'cart.completed',
      outcome: 'retrying',
      error: 'timeout',
      ms: 9,
      endpointId: 'we_1',
    },
    '12:30:00          9 ms  webhook  cart.completed  retrying  timeout  we_1\n',
  ],
  [
    'a failure',
    {
      level: 'ERROR',
      message: 'failed',
      ...METRICS,
      cause: { name: 'TypeError' },
    },
    '12:30:00  ERROR    failed {"cause":{"name":"TypeError"}}\n',
  ],
  [
    'a warning',
    { level: 'WARN', message: 'not warmed up', ...TIME, cause: { name: 'TimeoutError' } },
    '12:30:00  WARN     not warmed up {"cause":{"name":"TimeoutError"}}\n',
  ],
])('a terminal shows %s', (_what, entry, expected) => {
  expect(readable(`${JSON.stringify(entry)}\n`)).toBe(expected);
});

test('text for the operator stays, without what a terminal would interpret', () => {
  expect(readable('get-cart failed:\n    at x\n')).toBe('get-cart failed:\n    at x\n');
  expect(readable('a\u001B[2Jb\n"text"\nnull\n')).toBe('a?[2Jb\n"text"\nnull\n');
});
