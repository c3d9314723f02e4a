import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { curlCommand } from '../../../../infra/local/demo/curl-command.ts';
import { readyText } from '../../../../infra/local/demo/ready-message.ts';

const BASE_URL = 'http://127.0.0.1:3000';
const DYNAMODB = 'http://127.0.0.1:41234';
const WEBHOOKS = DEMO_STORES.map(({ id: storeId }) => ({
  storeId,
  id: `we_${storeId}`,
  url: 'http://127.0.0.1:8080/hook',
  secret: `whsec_${storeId}`,
}));

test.each([
  ['no webhook', []],
  ['a webhook of each demo store', WEBHOOKS],
])('the ready message has the address, the key and one next step in at most 10 lines: %s', (_, webhooks) => {
  const text = readyText({ baseUrl: BASE_URL, dynamodbEndpoint: DYNAMODB, webhooks }, true);
  // The banner of npm takes four more.
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
  expect(text).not.toContain(DYNAMODB);
  for (const part of [`${BASE_URL}/`, DEMO_STORES[0]?.apiKey, curlCommand(BASE_URL)])
    expect(text).toContain(part);
  for (const { url, secret } of webhooks) expect(text).toContain(`${url}, secret ${secret}`);
});

test('a stage on other data than the default names the option by which operators reach it', () => {
  const text = readyText({ baseUrl: BASE_URL, dynamodbEndpoint: DYNAMODB, webhooks: [] }, false);
  expect(text).toContain(`--dynamodb ${DYNAMODB}`);
});
