import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen as bind } from '../../../../infra/local/gateway/listen.ts';
import { post } from '../../../../infra/operate/listen/post.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';
import { givenDeadAddress } from '../../../support/http/addresses.ts';

const EVENT = { id: 'evt_1', type: 'cart.completed' } as Parameters<typeof post>[1];

const postTo = (url: string) => post(url, EVENT, generateSecret(), 0);

/** The address of a server that rejects every event. */
const givenServer = async (body: string): Promise<string> => {
  const server = createServer((_, response) => response.writeHead(400).end(body));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${await bind(server, '127.0.0.1', 0)}`;
};

test('the reason of a rejected event is the first line of the response', async () => {
  const attempt = await postTo(await givenServer('The signature does not match\nat verify'));
  expect(attempt).toStrictEqual({ result: 400, accepted: false, reason: 'The signature does not match' });
});

test('an empty response has no reason', async () => {
  expect(await postTo(await givenServer(''))).toMatchObject({ result: 400, reason: undefined });
});

test.each([
  ['no server', givenDeadAddress, /^nothing listens at 127\.0\.0\.1:\d+: start your server$/],
  [
    'no TLS',
    async () => (await givenServer('')).replace('http:', 'https:'),
    /^127\.0\.0\.1:\d+ uses no TLS: begin the address with http:/,
  ],
  [
    'a port that fetch never calls',
    async () => 'http://127.0.0.1:6000/hook',
    /^fetch calls no server at the port of 127\.0\.0\.1:6000: choose another$/,
  ],
  ['no such host', async () => 'http://shop.invalid/hook', /^the DNS has no address for shop\.invalid$/],
])('the reason names %s, and what to do', async (_what, givenAddress, reason) => {
  const { result, accepted, reason: given } = await postTo(await givenAddress());
  expect({ result, accepted }).toStrictEqual({ result: expect.any(String), accepted: false });
  expect(given).toMatch(reason);
});
