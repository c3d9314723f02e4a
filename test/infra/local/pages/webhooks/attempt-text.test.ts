import { expect, test } from 'vitest';
import { attemptHint, attemptText } from '../../../../../infra/local/pages/webhooks/attempt-text.ts';

const URLS = { here: 'http://127.0.0.1:8080/hook', away: 'https://shop.example/hook?token=x' };

test('the result of an attempt is its status or error, and its duration', () => {
  expect(attemptText({ status: 204, ms: 17 })).toBe('204 · 17 ms');
  expect(attemptText({ error: 'hostNotFound', ms: 3 })).toBe('host not found · 3 ms');
  expect(attemptText({ error: 'connectionFailed', ms: 19 })).toBe('no connection · 19 ms');
});

test('an error is a sentence that names the host, and never the query', () => {
  const hintAt = (url: string) => attemptHint({ error: 'connectionFailed', ms: 1 }, url);
  expect(hintAt(URLS.here)).toBe('Connection refused: is your server running at 127.0.0.1:8080?');
  expect(hintAt(URLS.away)).toBe(
    'No connection: is your server running at shop.example, and is the port open?',
  );
  expect(attemptHint({ error: 'hostNotFound', ms: 1 }, URLS.away)).toContain('no address for shop.example.');
  expect(attemptHint({ error: 'connectionClosed', ms: 1 }, URLS.here)).toContain('does it expect https?');
});

test.each([
  [404, 'no path /hook'],
  [405, 'no POST at /hook'],
  [403, 'CSRF'],
  [302, 'redirect'],
  [503, 'log'],
])('the status %i has the cause that is found most often', (status, words) => {
  expect(attemptHint({ status, ms: 1 }, URLS.away)).toContain(words);
});

test.each([204, 400])('the status %i has no cause that the stage knows', (status) => {
  expect(attemptHint({ status, ms: 1 }, URLS.here)).toBeUndefined();
});
